/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Functions of an ELF file, through libelf. What libelf hands out is checked before it is used: a
 * section's size against the file's, names against their string table, addresses against the
 * segments. The file is read, not mapped, so that one that shrinks meanwhile gives an error and not
 * a SIGBUS.
 */
#include "probe/elf.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

#if defined(__x86_64__)
#define NATIVE_MACHINE EM_X86_64
#define NATIVE_NAME "x86-64"
#elif defined(__aarch64__)
#define NATIVE_MACHINE EM_AARCH64
#define NATIVE_NAME "arm64"
#endif

/*
 * Bounds on the search for near names, so that a hostile file can't make it long: longer names are
 * passed over, and when that many characters have been compared the search ends with what it has.
 */
#define NEAR_NAME_MAX 512
#define NEAR_WORK_MAX 200000000u

struct segment {
	uint64_t addr;
	uint64_t offset;
	uint64_t size; /* bytes that lie in the file; offset + size and addr + size fit */
};

struct symbols {
	Elf_Data *entries; /* NULL: no such table */
	const char *names;
	size_t names_len; /* the last byte is NUL */
	size_t count;
};

struct elf_file {
	int fd;
	Elf *elf;
	uint64_t size;
	size_t nr_segments;
	struct segment *segments; /* the executable ones */
	struct symbols tables[2]; /* .dynsym, .symtab */
	Elf_Data *versions; /* of .dynsym's symbols; NULL: none */
};

static const char *machine_name(unsigned machine)
{
	static const struct {
		unsigned machine;
		const char *name;
	} names[] = {
		{ EM_386, "x86" },       { EM_X86_64, "x86-64" }, { EM_ARM, "arm" },
		{ EM_AARCH64, "arm64" }, { EM_RISCV, "RISC-V" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (names[i].machine == machine)
			return names[i].name;
	}
	return "another machine";
}

/* Is it an executable or a library that this machine's 64-bit processes map? */
static int check_header(const struct elf_file *f, const char *path, struct err *e)
{
	GElf_Ehdr ehdr;

	if (elf_kind(f->elf) != ELF_K_ELF || !gelf_getehdr(f->elf, &ehdr))
		return err_set(e, -ENOEXEC, "%s is not an ELF file", path);
	if (gelf_getclass(f->elf) != ELFCLASS64 || ehdr.e_ident[EI_DATA] != ELFDATA2LSB ||
	    ehdr.e_machine != NATIVE_MACHINE) {
		err_set(e, -ENOEXEC,
			"%s is a %s-bit file for %s, not a 64-bit one for " NATIVE_NAME, path,
			gelf_getclass(f->elf) == ELFCLASS64 ? "64" : "32",
			machine_name(ehdr.e_machine));
		return err_hint(e, "the copy of the library that 64-bit " NATIVE_NAME
				   " processes map");
	}
	if (ehdr.e_type != ET_DYN && ehdr.e_type != ET_EXEC)
		return err_set(e, -ENOEXEC, "%s is neither a library nor an executable", path);
	return 0;
}

static int read_segments(struct elf_file *f)
{
	size_t n;

	if (elf_getphdrnum(f->elf, &n) || !n)
		return 0;
	if (n > f->size / sizeof(Elf64_Phdr))
		return 0;
	f->segments = calloc(n, sizeof(*f->segments));
	if (!f->segments)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr ph;
		uint64_t end;

		if (i > INT_MAX || !gelf_getphdr(f->elf, (int)i, &ph))
			break;
		if (ph.p_type != PT_LOAD || !(ph.p_flags & PF_X) || ph.p_offset >= f->size)
			continue;
		uint64_t size = ph.p_filesz;
		if (size > f->size - ph.p_offset)
			size = f->size - ph.p_offset;
		if (__builtin_add_overflow(ph.p_vaddr, size, &end))
			continue;
		f->segments[f->nr_segments++] =
			(struct segment){ .addr = ph.p_vaddr, .offset = ph.p_offset, .size = size };
	}
	return 0;
}

/* The contents of a section that lies wholly in the file as plain bytes, or NULL. */
static Elf_Data *section_data(const struct elf_file *f, Elf_Scn *scn, GElf_Shdr *sh)
{
	if (!scn || !gelf_getshdr(scn, sh))
		return NULL;
	if (sh->sh_type == SHT_NOBITS || (sh->sh_flags & SHF_COMPRESSED))
		return NULL;
	if (!sh->sh_size || sh->sh_offset >= f->size || sh->sh_size > f->size - sh->sh_offset)
		return NULL;
	Elf_Data *data = elf_getdata(scn, NULL);
	return data && data->d_buf && data->d_size ? data : NULL;
}

static void read_symbols(struct elf_file *f, Elf_Scn *scn, struct symbols *t)
{
	GElf_Shdr sh, names_sh;
	Elf_Data *entries = section_data(f, scn, &sh);

	if (!entries || entries->d_type != ELF_T_SYM)
		return;
	Elf_Data *names = section_data(f, elf_getscn(f->elf, sh.sh_link), &names_sh);
	if (!names || names_sh.sh_type != SHT_STRTAB)
		return;
	const char *last = memrchr(names->d_buf, '\0', names->d_size);
	if (!last)
		return;
	t->entries = entries;
	t->names = names->d_buf;
	t->names_len = (size_t)(last - t->names) + 1;
	t->count = entries->d_size / sizeof(Elf64_Sym);
	if (t->count > INT_MAX)
		t->count = INT_MAX;
}

static void read_sections(struct elf_file *f)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(f->elf, scn))) {
		if (!gelf_getshdr(scn, &sh))
			continue;
		if (sh.sh_type == SHT_DYNSYM && !f->tables[0].entries)
			read_symbols(f, scn, &f->tables[0]);
		else if (sh.sh_type == SHT_SYMTAB && !f->tables[1].entries)
			read_symbols(f, scn, &f->tables[1]);
		else if (sh.sh_type == SHT_GNU_versym && !f->versions)
			f->versions = section_data(f, scn, &sh);
	}
	if (f->versions && f->versions->d_type != ELF_T_HALF)
		f->versions = NULL;
}

int elf_file_open(const char *path, struct elf_file **out, struct err *e)
{
	struct elf_file *f = calloc(1, sizeof(*f));
	struct stat st;
	int ret;

	if (!f)
		return err_errno(e, -ENOMEM, "cannot read %s", path);
	/* O_NONBLOCK: the open of a FIFO must not wait for its writer */
	f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (f->fd < 0 || fstat(f->fd, &st)) {
		ret = err_errno(e, -errno, "cannot open %s", path);
		goto fail;
	}
	if (!S_ISREG(st.st_mode)) {
		ret = err_set(e, -ENOEXEC, "%s is not a regular file", path);
		goto fail;
	}
	f->size = (uint64_t)st.st_size;
	elf_version(EV_CURRENT);
	f->elf = elf_begin(f->fd, ELF_C_READ, NULL);
	if (!f->elf) {
		ret = err_set(e, -ENOEXEC, "cannot read %s: %s", path, elf_errmsg(-1));
		goto fail;
	}
	ret = check_header(f, path, e);
	if (ret)
		goto fail;
	ret = read_segments(f);
	if (ret) {
		err_errno(e, ret, "cannot read %s", path);
		goto fail;
	}
	read_sections(f);
	*out = f;
	return 0;
fail:
	elf_file_close(f);
	return ret;
}

void elf_file_close(struct elf_file *f)
{
	if (!f)
		return;
	if (f->elf)
		elf_end(f->elf);
	if (f->fd >= 0)
		close(f->fd);
	free(f->segments);
	free(f);
}

/* The name of the i-th symbol if it is a function of this file, else NULL. */
static const char *function_name(const struct symbols *t, size_t i, GElf_Sym *sym)
{
	if (!gelf_getsym(t->entries, (int)i, sym))
		return NULL;
	/* an STT_GNU_IFUNC's address is its resolver's: a probe there would not see the calls */
	if (GELF_ST_TYPE(sym->st_info) != STT_FUNC || sym->st_shndx == SHN_UNDEF)
		return NULL;
	return sym->st_name && sym->st_name < t->names_len ? t->names + sym->st_name : NULL;
}

static bool file_offset(const struct elf_file *f, uint64_t addr, uint64_t *offset)
{
	for (size_t i = 0; i < f->nr_segments; i++) {
		const struct segment *s = &f->segments[i];

		if (addr >= s->addr && addr - s->addr < s->size) {
			*offset = s->offset + (addr - s->addr);
			return true;
		}
	}
	return false;
}

/* Is the i-th dynamic symbol one that only binaries linked against an older version use? */
static bool old_version(const struct elf_file *f, size_t i)
{
	GElf_Versym version;

	return f->versions && i < f->versions->d_size / sizeof(Elf64_Half) &&
	       gelf_getversym(f->versions, (int)i, &version) && (version & 0x8000);
}

int elf_file_function(struct elf_file *f, const char *symbol, uint64_t *offset)
{
	int ret = -ENOENT;
	GElf_Sym sym;

	for (size_t t = 0; t < sizeof(f->tables) / sizeof(*f->tables) && ret; t++) {
		const struct symbols *table = &f->tables[t];

		for (size_t i = 0; i < table->count; i++) {
			const char *name = function_name(table, i, &sym);
			uint64_t at;

			if (!name || strcmp(name, symbol) != 0 ||
			    !file_offset(f, sym.st_value, &at))
				continue;
			bool old = t == 0 && old_version(f, i);
			if (ret || !old)
				*offset = at;
			ret = 0;
			if (!old)
				break;
		}
	}
	return ret;
}

bool elf_file_executable(struct elf_file *f, uint64_t offset)
{
	for (size_t i = 0; i < f->nr_segments; i++) {
		const struct segment *s = &f->segments[i];

		if (offset >= s->offset && offset - s->offset < s->size)
			return true;
	}
	return false;
}

/* How often each character occurs, case folded. */
struct letters {
	unsigned short count[256];
};

static void count_letters(struct letters *l, const char *text, size_t len)
{
	memset(l, 0, sizeof(*l));
	for (size_t i = 0; i < len; i++)
		l->count[tolower((unsigned char)text[i])]++;
}

/* A lower bound of the edit distance that costs no table. */
static unsigned letters_apart(const struct letters *a, const struct letters *b)
{
	unsigned more = 0, fewer = 0;

	for (unsigned c = 0; c < 256; c++) {
		if (a->count[c] > b->count[c])
			more += a->count[c] - b->count[c];
		else
			fewer += b->count[c] - a->count[c];
	}
	return more > fewer ? more : fewer;
}

struct near {
	const char *name;
	unsigned score;
};

struct search {
	const char *symbol;
	size_t len;
	struct letters letters;
	uint64_t work;
	struct near *best; /* best first */
	int count;
	int max;
};

/*
 * How far `name` is from what was looked for: the edits between them, or less if one looks like the
 * other with something added, as a mangled name does. UINT_MAX if it is not worth showing.
 */
static unsigned near_score(struct search *s, const char *name, size_t len, unsigned limit)
{
	unsigned score = UINT_MAX;
	size_t prefix = 0, longer = len > s->len ? len : s->len;
	size_t edits = s->len / 3 ? s->len / 3 : 1;

	if (strcasestr(name, s->symbol))
		score = 1 + (unsigned)(len - s->len) / 8;
	while (prefix < len && prefix < s->len && name[prefix] == s->symbol[prefix])
		prefix++;
	/* the same start; of a mangled name half will do: the function with other arguments */
	size_t enough = s->len - s->len / (strncmp(s->symbol, "_Z", 2) ? 3 : 2);
	if (prefix >= 6 && prefix >= enough && longer - prefix < score)
		score = (unsigned)(longer - prefix);
	if (score < limit)
		limit = score;
	if (edits < limit)
		limit = (unsigned)edits + 1;
	if (longer - (len < s->len ? len : s->len) >= limit)
		return score;

	struct letters letters;
	count_letters(&letters, name, len);
	if (letters_apart(&letters, &s->letters) >= limit)
		return score;
	s->work += len * s->len;
	unsigned distance = text_distance(name, s->symbol);
	return distance < limit ? distance : score;
}

static void consider(struct search *s, const char *name)
{
	size_t len = strnlen(name, NEAR_NAME_MAX);
	int at = s->count;

	s->work += len;
	if (len == NEAR_NAME_MAX)
		return;
	for (size_t i = 0; i < len; i++) {
		if (iscntrl((unsigned char)name[i]))
			return;
	}
	unsigned limit = s->count == s->max ? s->best[s->max - 1].score : UINT_MAX;
	unsigned score = near_score(s, name, len, limit);
	if (score >= limit)
		return;
	for (int i = 0; i < s->count; i++) {
		if (!strcmp(s->best[i].name, name))
			return;
	}
	if (s->count < s->max)
		s->count++;
	else
		at--;
	for (; at > 0 && s->best[at - 1].score > score; at--)
		s->best[at] = s->best[at - 1];
	s->best[at] = (struct near){ .name = name, .score = score };
}

int elf_file_near(struct elf_file *f, const char *symbol, char **names, int max)
{
	struct search s = { .symbol = symbol, .len = strlen(symbol), .max = max };
	GElf_Sym sym;
	int n = 0;

	if (max <= 0 || !s.len || s.len >= NEAR_NAME_MAX)
		return 0;
	s.best = calloc((size_t)max, sizeof(*s.best));
	if (!s.best)
		return 0;
	count_letters(&s.letters, symbol, s.len);
	for (size_t t = 0; t < sizeof(f->tables) / sizeof(*f->tables); t++) {
		const struct symbols *table = &f->tables[t];

		for (size_t i = 0; i < table->count && s.work < NEAR_WORK_MAX; i++) {
			const char *name = function_name(table, i, &sym);

			if (name)
				consider(&s, name);
		}
	}
	while (n < s.count && (names[n] = strdup(s.best[n].name)))
		n++;
	free(s.best);
	return n;
}

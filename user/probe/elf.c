/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Functions of an ELF file, through libelf. What libelf hands out is checked before it is used: a
 * section's size against the file's, names against their string table, addresses against the
 * segments. The file is read, not mapped, so that one that shrinks meanwhile gives an error and not
 * a SIGBUS.
 *
 * A stripped library may carry its symbols compressed (MiniDebugInfo): .gnu_debugdata unpacks to an
 * ELF file whose .symtab has the addresses of the outer one, and whose own segments mean nothing.
 */
#include "probe/elf.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/debugdata.h"
#include "probe/near.h"
#include "probe/symbols.h"

#if defined(__x86_64__)
#define NATIVE_MACHINE EM_X86_64
#define NATIVE_NAME "x86-64"
#elif defined(__aarch64__)
#define NATIVE_MACHINE EM_AARCH64
#define NATIVE_NAME "arm64"
#endif

/* Of a library inside another file, bytes: it is read whole. */
#define PART_MAX (512u << 20)

struct segment {
	uint64_t addr;
	uint64_t offset;
	uint64_t size; /* bytes that lie in the file; offset + size and addr + size fit */
};

/* One ELF image: the file, or what its .gnu_debugdata unpacks to. */
struct image {
	Elf *elf;
	uint64_t size;
	unsigned char *bytes; /* malloc'ed, where it is not read from a descriptor */
};

struct elf_file {
	int fd;
	struct image outer;
	struct image inner; /* of .gnu_debugdata; elf is NULL before it was looked for */
	uint64_t base; /* where in the file on disk the outer image begins */
	unsigned machine;
	size_t nr_segments;
	struct segment *segments; /* the executable ones */
	struct symbols tables[ELF_TABLES];
	Elf_Scn *debugdata; /* the section, until it is read */
	const char *problem; /* with that section */
	bool cfi;
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

const char *elf_table_name(enum elf_table table)
{
	static const char *const names[] = {
		[ELF_DYNSYM] = ".dynsym",
		[ELF_SYMTAB] = ".symtab",
		[ELF_DEBUGDATA] = ".gnu_debugdata",
	};

	return names[table];
}

/* Is it an executable or a library that processes of this machine may map? */
static int check_header(struct elf_file *f, const char *path, struct err *e)
{
	Elf *elf = f->outer.elf;
	GElf_Ehdr ehdr;

	if (elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &ehdr))
		return err_set(e, -ENOEXEC, "%s is not an ELF file", path);
	bool wide = gelf_getclass(elf) == ELFCLASS64;
	bool known = wide ? ehdr.e_machine == NATIVE_MACHINE
			  : ehdr.e_machine == EM_386 || ehdr.e_machine == EM_ARM;
	if (!known || ehdr.e_ident[EI_DATA] != ELFDATA2LSB) {
		err_set(e, -ENOEXEC,
			"%s is a %s-bit file for %s, not a 64-bit one for " NATIVE_NAME, path,
			wide ? "64" : "32", machine_name(ehdr.e_machine));
		return err_hint(e, "the copy of the library that 64-bit " NATIVE_NAME
				   " processes map");
	}
	if (ehdr.e_type != ET_DYN && ehdr.e_type != ET_EXEC)
		return err_set(e, -ENOEXEC, "%s is neither a library nor an executable", path);
	f->machine = ehdr.e_machine;
	return 0;
}

static int read_segments(struct elf_file *f)
{
	uint64_t file_size = f->outer.size;
	size_t n;

	if (elf_getphdrnum(f->outer.elf, &n) || !n)
		return 0;
	if (n > file_size / gelf_fsize(f->outer.elf, ELF_T_PHDR, 1, EV_CURRENT))
		return 0;
	f->segments = calloc(n, sizeof(*f->segments));
	if (!f->segments)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr ph;
		uint64_t end;

		if (i > INT_MAX || !gelf_getphdr(f->outer.elf, (int)i, &ph))
			break;
		if (ph.p_type != PT_LOAD || !(ph.p_flags & PF_X) || ph.p_offset >= file_size)
			continue;
		uint64_t size = ph.p_filesz;
		if (size > file_size - ph.p_offset)
			size = file_size - ph.p_offset;
		if (__builtin_add_overflow(ph.p_vaddr, size, &end))
			continue;
		f->segments[f->nr_segments++] =
			(struct segment){ .addr = ph.p_vaddr, .offset = ph.p_offset, .size = size };
	}
	return 0;
}

/* The contents of a section that lies wholly in the file as plain bytes, or NULL. */
static Elf_Data *section_data(const struct image *im, Elf_Scn *scn, GElf_Shdr *sh)
{
	if (!scn || !gelf_getshdr(scn, sh))
		return NULL;
	if (sh->sh_type == SHT_NOBITS || (sh->sh_flags & SHF_COMPRESSED))
		return NULL;
	if (!sh->sh_size || sh->sh_offset >= im->size || sh->sh_size > im->size - sh->sh_offset)
		return NULL;
	Elf_Data *data = elf_getdata(scn, NULL);
	return data && data->d_buf && data->d_size ? data : NULL;
}

/* Is the i-th dynamic symbol one that only binaries linked against an older version use? */
static bool old_version(Elf_Data *versions, size_t i)
{
	GElf_Versym version;

	return versions && i < versions->d_size / sizeof(Elf64_Half) &&
	       gelf_getversym(versions, (int)i, &version) && (version & 0x8000);
}

/* Add the functions that this file defines. */
static int read_symbols(const struct elf_file *f, const struct image *im, Elf_Scn *scn,
			Elf_Data *versions, struct symbols *table)
{
	GElf_Shdr sh, names_sh;
	Elf_Data *entries = section_data(im, scn, &sh);
	int ret = 0;

	if (!entries || entries->d_type != ELF_T_SYM)
		return 0;
	Elf_Data *data = section_data(im, elf_getscn(im->elf, sh.sh_link), &names_sh);
	if (!data || names_sh.sh_type != SHT_STRTAB)
		return 0;
	const char *names = data->d_buf;
	size_t count = entries->d_size / gelf_fsize(im->elf, ELF_T_SYM, 1, EV_CURRENT);

	for (size_t i = 0; i < count && i < INT_MAX && !ret; i++) {
		GElf_Sym sym;

		/* an STT_GNU_IFUNC's address is its resolver's: a probe there would miss the calls
		 */
		if (!gelf_getsym(entries, (int)i, &sym) || GELF_ST_TYPE(sym.st_info) != STT_FUNC ||
		    sym.st_shndx == SHN_UNDEF || !sym.st_name || sym.st_name >= data->d_size)
			continue;
		/* the lowest bit says that it is Thumb code, which begins at the even address */
		uint64_t addr = sym.st_value - (f->machine == EM_ARM ? sym.st_value & 1 : 0);
		ret = symbols_add(table, names + sym.st_name, data->d_size - sym.st_name, addr,
				  old_version(versions, i));
	}
	return ret;
}

/* The first two tables; the third is looked for when these do not have a function. */
static int read_sections(struct elf_file *f)
{
	Elf_Scn *scn = NULL, *dynsym = NULL, *symtab = NULL;
	Elf_Data *versions = NULL;
	size_t names = 0;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(f->outer.elf, &names))
		names = 0;
	while ((scn = elf_nextscn(f->outer.elf, scn))) {
		if (!gelf_getshdr(scn, &sh))
			continue;
		const char *name = names ? elf_strptr(f->outer.elf, names, sh.sh_name) : NULL;
		if (sh.sh_type == SHT_DYNSYM && !dynsym)
			dynsym = scn;
		else if (sh.sh_type == SHT_SYMTAB && !symtab)
			symtab = scn;
		else if (sh.sh_type == SHT_GNU_versym && !versions)
			versions = section_data(&f->outer, scn, &sh);
		else if (name && !strcmp(name, ".gnu_debugdata") && !f->debugdata)
			f->debugdata = scn;
	}
	if (versions && versions->d_type != ELF_T_HALF)
		versions = NULL;
	int ret = read_symbols(f, &f->outer, dynsym, versions, &f->tables[ELF_DYNSYM]);
	if (!ret)
		ret = read_symbols(f, &f->outer, symtab, NULL, &f->tables[ELF_SYMTAB]);
	f->cfi = symbols_find(&f->tables[ELF_DYNSYM], "__cfi_check", NULL) != NULL;
	return ret;
}

/* What is inside .gnu_debugdata, or why it can't be used. */
static const char *unpack_debugdata(struct elf_file *f)
{
	GElf_Shdr sh;
	GElf_Ehdr ehdr;
	Elf_Data *packed = section_data(&f->outer, f->debugdata, &sh);
	size_t size;

	if (!packed)
		return "it does not lie in the file";
	int ret = debugdata_unpack(packed->d_buf, packed->d_size, &f->inner.bytes, &size);
	if (ret == -ENOMEM)
		return "there is no memory to unpack it";
	if (ret)
		return ret == -EFBIG ? "it unpacks to more than 64 MiB" : "it is no xz stream";
	f->inner.size = size;
	f->inner.elf = elf_memory((char *)f->inner.bytes, size);
	if (!f->inner.elf || elf_kind(f->inner.elf) != ELF_K_ELF ||
	    !gelf_getehdr(f->inner.elf, &ehdr))
		return "what it unpacks to is no ELF file";
	if (gelf_getclass(f->inner.elf) != gelf_getclass(f->outer.elf) ||
	    ehdr.e_machine != f->machine || ehdr.e_ident[EI_DATA] != ELFDATA2LSB)
		return "what it unpacks to is for another machine";
	return NULL;
}

static void read_debugdata(struct elf_file *f)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	if (!f->debugdata)
		return;
	f->problem = unpack_debugdata(f);
	f->debugdata = NULL;
	while (!f->problem && (scn = elf_nextscn(f->inner.elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_SYMTAB)
			continue;
		if (read_symbols(f, &f->inner, scn, NULL, &f->tables[ELF_DEBUGDATA]))
			f->problem = "there is no memory for its symbols";
		break;
	}
}

/* Read `size` bytes from `base` on; what is not there any more is an error. */
static int read_part(struct elf_file *f, uint64_t base, uint64_t size)
{
	if (size > PART_MAX)
		return -EFBIG;
	f->outer.bytes = malloc(size ? size : 1);
	if (!f->outer.bytes)
		return -ENOMEM;
	for (uint64_t done = 0; done < size;) {
		ssize_t n = pread(f->fd, f->outer.bytes + done, size - done, (off_t)(base + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -ENODATA;
		done += (uint64_t)n;
	}
	f->outer.size = size;
	f->outer.elf = elf_memory((char *)f->outer.bytes, size);
	return 0;
}

/* Open the file on disk, and as much of it as there is the image in. */
static int open_image(struct elf_file *f, const char *path, uint64_t base, uint64_t size,
		      struct err *e)
{
	struct stat st;
	int ret;

	/* O_NONBLOCK: the open of a FIFO must not wait for its writer */
	f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (f->fd < 0 || fstat(f->fd, &st))
		return err_errno(e, -errno, "cannot open %s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(e, -ENOEXEC, "%s is not a regular file", path);
	elf_version(EV_CURRENT);
	if (size) {
		f->base = base;
		ret = read_part(f, base, size);
		if (ret)
			return err_errno(e, ret, "cannot read %s", path);
	} else {
		f->outer.size = (uint64_t)st.st_size;
		f->outer.elf = elf_begin(f->fd, ELF_C_READ, NULL);
	}
	if (!f->outer.elf)
		return err_set(e, -ENOEXEC, "cannot read %s: %s", path, elf_errmsg(-1));
	return 0;
}

int elf_file_open_part(const char *path, uint64_t base, uint64_t size, struct elf_file **out,
		       struct err *e)
{
	struct elf_file *f = calloc(1, sizeof(*f));
	int ret;

	if (!f)
		return err_errno(e, -ENOMEM, "cannot read %s", path);
	ret = open_image(f, path, base, size, e);
	if (!ret)
		ret = check_header(f, path, e);
	if (!ret) {
		ret = read_segments(f);
		if (!ret)
			ret = read_sections(f);
		if (ret)
			err_errno(e, ret, "cannot read %s", path);
	}
	if (ret) {
		elf_file_close(f);
		return ret;
	}
	*out = f;
	return 0;
}

int elf_file_open(const char *path, struct elf_file **out, struct err *e)
{
	return elf_file_open_part(path, 0, 0, out, e);
}

static void image_close(struct image *im)
{
	if (im->elf)
		elf_end(im->elf);
	free(im->bytes);
}

void elf_file_close(struct elf_file *f)
{
	if (!f)
		return;
	for (size_t t = 0; t < ELF_TABLES; t++)
		symbols_free(&f->tables[t]);
	image_close(&f->inner);
	image_close(&f->outer);
	if (f->fd >= 0)
		close(f->fd);
	free(f->segments);
	free(f);
}

unsigned elf_file_bits(const struct elf_file *f)
{
	return f->machine == NATIVE_MACHINE ? 64 : 32;
}

const char *elf_file_debugdata_problem(const struct elf_file *f)
{
	return f->problem;
}

static bool file_offset(const struct elf_file *f, uint64_t addr, uint64_t *offset)
{
	for (size_t i = 0; i < f->nr_segments; i++) {
		const struct segment *s = &f->segments[i];

		if (addr >= s->addr && addr - s->addr < s->size) {
			*offset = f->base + s->offset + (addr - s->addr);
			return true;
		}
	}
	return false;
}

static struct symbols *table(struct elf_file *f, enum elf_table which)
{
	if (which == ELF_DEBUGDATA)
		read_debugdata(f);
	return &f->tables[which];
}

/* Take the symbol if it lies in the file's code. */
static bool take(const struct elf_file *f, enum elf_table which, const struct symbol *s,
		 struct elf_place *place)
{
	uint64_t offset;

	if (!file_offset(f, s->addr, &offset))
		return false;
	*place = (struct elf_place){ .offset = offset, .table = which, .symbol = s->name };
	return true;
}

/* The function of exactly this name: of several versions the default one, else the first. */
static bool find_exact(struct elf_file *f, const char *name, struct elf_place *place)
{
	bool found = false;

	for (unsigned t = 0; t < ELF_TABLES && !found; t++) {
		struct symbols *in = table(f, t);

		for (const struct symbol *s = NULL; (s = symbols_find(in, name, s));) {
			if (found && s->old)
				continue;
			found |= take(f, t, s, place);
			if (found && !s->old)
				break;
		}
	}
	return found;
}

/* Does what follows a function's name leave it the same function? Not so ".cold" or ".part.0". */
static bool same_function(const char *rest)
{
	return !strncmp(rest, ".llvm.", 6) || !strcmp(rest, ".cfi");
}

/* The function as a compiler named what it made of it. */
static bool find_variant(struct elf_file *f, const char *name, struct elf_place *place)
{
	size_t len = strlen(name);

	for (unsigned t = 0; t < ELF_TABLES; t++) {
		struct symbols *in = table(f, t);

		for (const struct symbol *s = NULL; (s = symbols_find_variant(in, name, s));) {
			if (same_function(s->name + len) && take(f, t, s, place))
				return true;
		}
	}
	return false;
}

static bool find_prefix(struct elf_file *f, const char *prefix, struct elf_place *place)
{
	size_t len = strlen(prefix);
	bool found = false;

	for (unsigned t = 0; t < ELF_TABLES && !found; t++) {
		const struct symbols *in = table(f, t);

		for (const struct symbol *s = NULL; (s = symbols_find_prefix(in, prefix, s));) {
			const char *ending = s->name + len + strcspn(s->name + len, ".");

			if ((!*ending || same_function(ending)) &&
			    (!found || strcmp(s->name, place->symbol) < 0))
				found |= take(f, t, s, place);
		}
	}
	return found;
}

/*
 * In a library with control-flow integrity that reaches across libraries, an exported name is that
 * of a jump to the function's body, and calls within the library go to the body at once.
 */
static void prefer_body(struct elf_file *f, struct elf_place *place)
{
	char name[SYMBOL_NAME_MAX + 8];
	size_t len = strlen(place->symbol);

	if (!f->cfi || len >= SYMBOL_NAME_MAX)
		return;
	memcpy(name, place->symbol, len);
	memcpy(name + len, ".cfi", 5);
	find_exact(f, name, place);
}

int elf_file_function(struct elf_file *f, const char *symbol, struct elf_place *place)
{
	char prefix[SYMBOL_NAME_MAX];
	size_t len = strlen(symbol);
	bool found;

	if (!len || len >= sizeof(prefix))
		return -ENOENT;
	if (symbol[len - 1] == '*') {
		memcpy(prefix, symbol, len - 1);
		prefix[len - 1] = '\0';
		found = find_prefix(f, prefix, place);
	} else {
		found = find_exact(f, symbol, place) || find_variant(f, symbol, place);
	}
	if (found)
		prefer_body(f, place);
	return found ? 0 : -ENOENT;
}

bool elf_file_executable(const struct elf_file *f, uint64_t offset)
{
	if (offset < f->base)
		return false;
	offset -= f->base;
	for (size_t i = 0; i < f->nr_segments; i++) {
		const struct segment *s = &f->segments[i];

		if (offset >= s->offset && offset - s->offset < s->size)
			return true;
	}
	return false;
}

int elf_file_near(struct elf_file *f, const char *symbol, char **names, int max)
{
	read_debugdata(f);
	return near_names(f->tables, ELF_TABLES, symbol, names, max);
}

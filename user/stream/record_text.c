/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The text form of records, both ways, driven by the table of kinds. */
#include "stream/record.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "stream/record_table.h"

/* The longest line is a META record of bytes that all need an escape of four characters. */
#define LINE_MAX_LEN (4 * FS_RECORD_MAX + 1024)

#define META_TEXT_MAX (FS_RECORD_MAX - sizeof(struct fs_meta))

/* A line being made. It has room for any record. */
struct line {
	size_t len;
	char text[LINE_MAX_LEN];
};

static void put_char(struct line *l, char c)
{
	l->text[l->len++] = c;
}

static void put_text(struct line *l, const char *text)
{
	size_t len = strlen(text);

	memcpy(l->text + l->len, text, len);
	l->len += len;
}

static void put_number(struct line *l, uint64_t value)
{
	char digits[20];
	size_t n = 0;

	do {
		digits[n++] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	while (n)
		l->text[l->len++] = digits[--n];
}

static void put_signed(struct line *l, int64_t value)
{
	if (value < 0)
		put_char(l, '-');
	put_number(l, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

static void put_hex(struct line *l, uint64_t value)
{
	int shift = 60;

	put_text(l, "0x");
	while (shift > 0 && value >> shift == 0)
		shift -= 4;
	for (; shift >= 0; shift -= 4)
		put_char(l, "0123456789abcdef"[value >> shift & 15]);
}

static void put_string(struct line *l, const char *text, size_t len)
{
	put_char(l, '"');
	l->len += text_escape(l->text + l->len, sizeof(l->text) - l->len, text, len);
	put_char(l, '"');
}

static void put_flags(struct line *l, const struct field *f, uint32_t value)
{
	const char *separator = "";

	for (unsigned bit = 0; bit < f->nr_names; bit++) {
		if (!(value & 1u << bit))
			continue;
		put_text(l, separator);
		put_text(l, f->names[bit]);
		separator = "|";
		value &= ~(1u << bit);
	}
	if (value) {
		put_text(l, separator);
		put_hex(l, value);
	} else if (!*separator) {
		put_char(l, '0');
	}
}

static void put_list(struct line *l, const char *at, size_t count)
{
	int64_t value;

	for (size_t i = 0; i < count; i++) {
		memcpy(&value, at + i * sizeof(value), sizeof(value));
		if (i)
			put_char(l, ',');
		put_signed(l, value);
	}
}

static bool is_letter(uint32_t value)
{
	return (value >= 'A' && value <= 'Z') || (value >= 'a' && value <= 'z');
}

static void put_field(struct line *l, const struct field *f, const struct fs_header *rec)
{
	const char *at = (const char *)rec + f->offset;
	uint64_t value = field_number(f, rec);

	switch (f->type) {
	case FIELD_U64:
	case FIELD_U32:
	case FIELD_U16:
		put_number(l, value);
		break;
	case FIELD_HEX64:
	case FIELD_HEX32:
		put_hex(l, value);
		break;
	case FIELD_S32:
	case FIELD_S64:
		put_signed(l, (int64_t)value);
		break;
	case FIELD_S64_LIST:
		put_list(l, at, f->len / sizeof(int64_t));
		break;
	case FIELD_LETTER:
		if (is_letter((uint32_t)value))
			put_char(l, (char)value);
		else
			put_number(l, value);
		break;
	case FIELD_CPU:
		if (value == FS_CPU_NONE)
			put_char(l, '-');
		else
			put_number(l, value);
		break;
	case FIELD_ENUM32:
	case FIELD_ENUM16:
	case FIELD_ENUM8:
		if (value < f->nr_names && f->names[value])
			put_text(l, f->names[value]);
		else
			put_number(l, value);
		break;
	case FIELD_FLAGS:
		put_flags(l, f, (uint32_t)value);
		break;
	case FIELD_STRING:
		put_string(l, at, f->len);
		break;
	case FIELD_TEXT:
		put_string(l, at, rec->size - f->offset);
		break;
	}
}

void record_print(FILE *out, const struct fs_header *rec)
{
	const struct kind *kind = &record_kinds[rec->kind];
	struct line l;

	l.len = 0;
	put_number(&l, rec->time_ns);
	put_text(&l, " cpu=");
	if (rec->cpu == FS_CPU_NONE)
		put_char(&l, '-');
	else
		put_number(&l, rec->cpu);
	put_char(&l, ' ');
	put_number(&l, rec->tid);
	put_char(&l, '/');
	put_number(&l, rec->tgid);
	put_char(&l, ' ');
	put_text(&l, kind->name);
	for (const struct field *f = kind->fields; f->name; f++) {
		put_char(&l, ' ');
		put_text(&l, f->name);
		put_char(&l, '=');
		put_field(&l, f, rec);
	}
	put_char(&l, '\n');
	fwrite(l.text, 1, l.len, out);
}

/* A piece of the line being parsed. */
struct word {
	const char *at;
	size_t len;
};

/* For "%.*s" in messages. */
#define WORD(w) (int)((w).len < 80 ? (w).len : 80), (w).at

static bool word_is(struct word w, const char *text)
{
	return w.len == strlen(text) && !memcmp(w.at, text, w.len);
}

/* A whole number up to `max`, in decimal or, with 0x before it, in hexadecimal. */
static bool word_number(struct word w, uint64_t max, uint64_t *out)
{
	bool hex = w.len > 2 && w.at[0] == '0' && w.at[1] == 'x';
	unsigned base = hex ? 16 : 10;
	uint64_t value = 0;

	if (w.len == 0)
		return false;
	for (size_t i = hex ? 2 : 0; i < w.len; i++) {
		char c = w.at[i];
		unsigned digit;

		if (c >= '0' && c <= '9')
			digit = (unsigned)(c - '0');
		else if (hex && c >= 'a' && c <= 'f')
			digit = (unsigned)(c - 'a' + 10);
		else
			return false;
		if (value > (max - digit) / base)
			return false;
		value = value * base + digit;
	}
	*out = value;
	return true;
}

static struct word next_word(const char **line)
{
	while (**line == ' ')
		(*line)++;

	struct word w = { *line, strcspn(*line, " ") };
	*line += w.len;
	return w;
}

static int parse_cpu(struct word w, const char *name, uint32_t *cpu, struct err *e)
{
	uint64_t value;

	if (word_is(w, "-")) {
		*cpu = FS_CPU_NONE;
		return 0;
	}
	if (!word_number(w, FS_CPU_NONE - 1, &value))
		return err_set(e, -EINVAL, "%s: '%.*s' is neither a CPU number nor '-'", name,
			       WORD(w));
	*cpu = (uint32_t)value;
	return 0;
}

static int parse_enum(const struct field *f, struct word w, uint64_t max, uint64_t *value,
		      struct err *e)
{
	for (unsigned i = 0; i < f->nr_names; i++) {
		if (f->names[i] && word_is(w, f->names[i])) {
			*value = i;
			return 0;
		}
	}
	if (word_number(w, max, value))
		return 0;
	return err_set(e, -EINVAL,
		       "%s: '%.*s' is neither a name known here nor a number up to %llu", f->name,
		       WORD(w), (unsigned long long)max);
}

static int parse_flags(const struct field *f, struct word w, uint32_t *flags, struct err *e)
{
	*flags = 0;
	for (;;) {
		const char *bar = memchr(w.at, '|', w.len);
		struct word flag = { w.at, bar ? (size_t)(bar - w.at) : w.len };
		uint64_t bits = 0;

		for (unsigned bit = 0; bit < f->nr_names; bit++) {
			if (word_is(flag, f->names[bit]))
				bits = 1u << bit;
		}
		if (!bits && !word_number(flag, UINT32_MAX, &bits))
			return err_set(e, -EINVAL, "%s: '%.*s' is neither a flag nor a number",
				       f->name, WORD(flag));
		*flags |= (uint32_t)bits;
		if (!bar)
			return 0;
		w.len -= flag.len + 1;
		w.at = bar + 1;
	}
}

/* A number with a sign, of `bits` bits. */
static int parse_signed(const struct field *f, struct word w, unsigned bits, int64_t *out,
			struct err *e)
{
	bool negative = w.len && w.at[0] == '-';
	struct word digits = { w.at + negative, w.len - negative };
	uint64_t max = (UINT64_C(1) << (bits - 1)) - 1, value;

	if (!word_number(digits, max + negative, &value))
		return err_set(e, -EINVAL, "%s: '%.*s' is no number of %u bits", f->name, WORD(w),
			       bits);
	*out = (int64_t)(negative ? -value : value);
	return 0;
}

/* The numbers that are left out stay 0. */
static int parse_list(const struct field *f, struct word w, char *at, struct err *e)
{
	size_t count = f->len / sizeof(int64_t);
	int64_t value;

	for (size_t i = 0; i < count; i++) {
		const char *comma = memchr(w.at, ',', w.len);
		struct word number = { w.at, comma ? (size_t)(comma - w.at) : w.len };
		int ret = parse_signed(f, number, 64, &value, e);

		if (ret)
			return ret;
		memcpy(at + i * sizeof(value), &value, sizeof(value));
		if (!comma)
			return 0;
		w.len -= number.len + 1;
		w.at = comma + 1;
	}
	return err_set(e, -EINVAL, "%s: more than %zu numbers", f->name, count);
}

/* `w` is what stands between the quotes. */
static int parse_string(const struct field *f, struct word w, struct fs_header *rec, struct err *e)
{
	char *at = (char *)rec + f->offset;
	size_t room = f->type == FIELD_TEXT ? META_TEXT_MAX : f->len - 1u;
	long len = text_unescape(at, room, w.at, w.len);

	if (len < 0)
		return err_set(e, -EINVAL, "%s: \"%.*s\" has a bad escape or more than %zu bytes",
			       f->name, WORD(w), room);
	if (f->type == FIELD_TEXT)
		rec->size = (uint16_t)(f->offset + (((size_t)len + 7) & ~(size_t)7));
	return 0;
}

/* A whole number without a sign, of `bits` bits. */
static int parse_unsigned(const struct field *f, struct word w, unsigned bits, uint64_t *value,
			  struct err *e)
{
	if (!word_number(w, UINT64_MAX >> (64 - bits), value))
		return err_set(e, -EINVAL, "%s: '%.*s' is no number of %u bits", f->name, WORD(w),
			       bits);
	return 0;
}

static int parse_letter(const struct field *f, struct word w, uint64_t *value, struct err *e)
{
	if (w.len == 1 && is_letter((unsigned char)*w.at)) {
		*value = (unsigned char)*w.at;
		return 0;
	}
	if (!word_number(w, UINT32_MAX, value))
		return err_set(e, -EINVAL, "%s: '%.*s' is no letter", f->name, WORD(w));
	return 0;
}

/* Of a field that is a number. */
static int parse_number(const struct field *f, struct word w, uint64_t *value, struct err *e)
{
	unsigned bits = 8 * (unsigned)field_width(f->type);
	int64_t with_sign = 0;
	uint32_t u32 = 0;
	int ret;

	switch (f->type) {
	case FIELD_S32:
	case FIELD_S64:
		ret = parse_signed(f, w, bits, &with_sign, e);
		*value = (uint64_t)with_sign;
		return ret;
	case FIELD_LETTER:
		return parse_letter(f, w, value, e);
	case FIELD_CPU:
		ret = parse_cpu(w, f->name, &u32, e);
		*value = u32;
		return ret;
	case FIELD_FLAGS:
		ret = parse_flags(f, w, &u32, e);
		*value = u32;
		return ret;
	case FIELD_U16:
	case FIELD_ENUM8:
	case FIELD_ENUM16:
	case FIELD_ENUM32:
		return parse_enum(f, w, UINT64_MAX >> (64 - bits), value, e);
	default:
		return parse_unsigned(f, w, bits, value, e);
	}
}

static int parse_field(const struct field *f, struct word w, struct fs_header *rec, struct err *e)
{
	uint64_t value = 0;
	int ret;

	switch (f->type) {
	case FIELD_S64_LIST:
		return parse_list(f, w, (char *)rec + f->offset, e);
	case FIELD_STRING:
	case FIELD_TEXT:
		return parse_string(f, w, rec, e);
	default:
		ret = parse_number(f, w, &value, e);
		if (!ret)
			field_set_number(f, rec, value);
		return ret;
	}
}

static const struct field *find_field(const struct kind *kind, struct word name, struct err *e)
{
	const char *names[RECORD_FIELDS_MAX + 1];
	char text[64];
	unsigned n = 0;

	for (const struct field *f = kind->fields; f->name; f++) {
		if (word_is(name, f->name))
			return f;
		names[n++] = f->name;
	}
	names[n] = NULL;
	err_set(e, -EINVAL, "a %s record has no field '%.*s'", kind->name, WORD(name));
	snprintf(text, sizeof(text), "%.*s", WORD(name));
	const char *near = text_nearest(text, names);
	if (near)
		err_hint(e, "%s", near);
	return NULL;
}

/* Parse the next key=value of *line into rec; the fields before it are in *seen. */
static int parse_pair(const struct kind *kind, const char **line, uint32_t *seen,
		      struct fs_header *rec, struct err *e)
{
	struct word name = { *line, strcspn(*line, " =") };
	struct word value = { *line + name.len + 1, 0 };

	if (name.at[name.len] != '=')
		return err_set(e, -EINVAL, "'%.*s' is no field=value", WORD(name));
	const struct field *f = find_field(kind, name, e);
	if (!f)
		return e->code;
	if (*seen & 1u << (f - kind->fields))
		return err_set(e, -EINVAL, "%s: given twice", f->name);
	*seen |= 1u << (f - kind->fields);

	if (f->type == FIELD_STRING || f->type == FIELD_TEXT) {
		if (*value.at != '"')
			return err_set(e, -EINVAL, "%s: not in double quotes", f->name);
		value.at++;
		while (value.at[value.len] && value.at[value.len] != '"') {
			if (value.at[value.len] == '\\' && value.at[value.len + 1])
				value.len++;
			value.len++;
		}
		if (!value.at[value.len])
			return err_set(e, -EINVAL, "%s: the closing quote is missing", f->name);
		*line = value.at + value.len + 1;
		if (**line && **line != ' ')
			return err_set(e, -EINVAL, "%s: '%c' after the closing quote", f->name,
				       **line);
	} else {
		value.len = strcspn(value.at, " ");
		*line = value.at + value.len;
	}
	return parse_field(f, value, rec, e);
}

/* The part that all kinds share. */
static int parse_header(const char **line, struct fs_header *rec, struct err *e)
{
	uint64_t value;

	struct word w = next_word(line);
	if (!word_number(w, UINT64_MAX, &value))
		return err_set(e, -EINVAL, "time: '%.*s' is no number of 64 bits", WORD(w));
	rec->time_ns = value;

	w = next_word(line);
	if (w.len < 4 || memcmp(w.at, "cpu=", 4) != 0)
		return err_set(e, -EINVAL, "cpu: 'cpu=...' should follow the time, not '%.*s'",
			       WORD(w));
	w.at += 4;
	w.len -= 4;
	int ret = parse_cpu(w, "cpu", &rec->cpu, e);
	if (ret)
		return ret;

	w = next_word(line);
	const char *slash = memchr(w.at, '/', w.len);
	struct word tid = { w.at, slash ? (size_t)(slash - w.at) : 0 };
	struct word tgid = { w.at + tid.len + 1, slash ? w.len - tid.len - 1 : 0 };
	if (!word_number(tid, UINT32_MAX, &value))
		return err_set(e, -EINVAL, "tid/tgid: '%.*s' is no pair of numbers", WORD(w));
	rec->tid = (uint32_t)value;
	if (!word_number(tgid, UINT32_MAX, &value))
		return err_set(e, -EINVAL, "tid/tgid: '%.*s' is no pair of numbers", WORD(w));
	rec->tgid = (uint32_t)value;

	w = next_word(line);
	for (unsigned i = 0; i < RECORD_KINDS; i++) {
		if (record_kinds[i].name && word_is(w, record_kinds[i].name)) {
			rec->kind = (uint16_t)i;
			rec->size = record_kinds[i].full_size;
			return 0;
		}
	}
	return err_set(e, -EINVAL, "kind: '%.*s' is no kind of record", WORD(w));
}

int record_parse(const char *line, void *buf, struct err *e)
{
	struct fs_header *rec = buf;
	uint32_t seen = 0;

	memset(buf, 0, FS_RECORD_MAX);
	int ret = parse_header(&line, rec, e);
	if (ret)
		return ret;

	const struct kind *kind = &record_kinds[rec->kind];
	for (const struct field *f = kind->fields; f->name; f++) {
		if (f->type == FIELD_S32)
			memset((char *)buf + f->offset, 0xff, sizeof(int32_t));
		else if (f->type == FIELD_S64)
			memset((char *)buf + f->offset, 0xff, sizeof(int64_t));
	}
	for (;;) {
		line += strspn(line, " ");
		if (!*line)
			return 0;
		ret = parse_pair(kind, &line, &seen, rec, e);
		if (ret)
			return ret;
	}
}

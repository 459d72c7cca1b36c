/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Whose the lines of a dump are: the lines that name a process, a window or a package. */
#include "stream/gfxinfo_parts.h"

/* Cut to fit, but not within a character. */
static void set_name(char *to, const char *name, size_t len)
{
	if (len >= GFXINFO_NAME) {
		len = GFXINFO_NAME - 1;
		while (len && ((unsigned char)name[len] & 0xc0) == 0x80)
			len--;
	}
	memcpy(to, name, len);
	to[len] = '\0';
}

static void no_window(struct gfxinfo_place *place)
{
	place->window[0] = '\0';
	place->window_nr = 0;
	place->titled = false;
}

static void set_process(struct gfxinfo_place *place, uint32_t pid, const char *name, size_t len)
{
	no_window(place);
	place->pid = pid;
	set_name(place->process, name, len);
	place->scope = SCOPE_PROCESS;
	place->name[0] = '\0';
	place->listing = false;
	place->nr_names = 0;
}

void gfxinfo_place_clear(struct gfxinfo_place *place)
{
	set_process(place, 0, "", 0);
}

static void set_window(struct gfxinfo_place *place, const char *name, size_t len)
{
	uint64_t hash = 14695981039346656037u; /* FNV-1a */
	unsigned i = 0;

	set_name(place->window, name, len);
	memcpy(place->name, place->window, sizeof(place->name));
	place->window_nr = 1;
	place->scope = SCOPE_WINDOW;
	for (const char *c = place->window; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 1099511628211u;
	while (i < place->nr_names && place->names[i].hash != hash)
		i++;
	if (i == GFXINFO_WINDOW_NAMES)
		return;
	if (i == place->nr_names) {
		place->names[i].hash = hash;
		place->names[i].nr = 0;
		place->nr_names++;
	}
	place->window_nr = ++place->names[i].nr;
}

/* "28907 [org.example.aNavMode] **" */
static enum gfxinfo_place_line take_process(struct gfxinfo_place *place, const char *p,
					    const struct gfxinfo_line *line)
{
	const char *end = line->s + line->len, *name = p;
	size_t left = (size_t)(end - p);
	uint64_t pid;

	if (left >= 4 && !memcmp(end - 4, "] **", 4))
		end -= 4;
	else if (!line->ended)
		return PLACE_TAKEN;
	if (!gfxinfo_take_number(p, &pid) || pid > UINT32_MAX)
		pid = 0;
	while (name < end && (gfxinfo_is_digit(*name) || *name == ' '))
		name++;
	name += name < end && *name == '[';
	set_process(place, (uint32_t)pid, name, (size_t)(end - name));
	return PLACE_PROCESS;
}

/* "Window: TITLE": the totals and rows of a window, which the list may have named already. */
static void take_window(struct gfxinfo_place *place, const char *name, size_t len)
{
	char cut[GFXINFO_NAME];

	set_name(cut, name, len);
	if (!place->titled || strcmp(cut, place->window) != 0)
		set_window(place, name, len);
	place->titled = false;
}

static void take_package(struct gfxinfo_place *place, const char *name, size_t len)
{
	no_window(place);
	place->scope = SCOPE_PACKAGE;
	set_name(place->name, name, len);
}

#define WINDOW_LINE "Window: "
#define PACKAGE_LINE "Package: "
#define VIEWS_LINE "View hierarchy:"

/* "TITLE/android.view.ViewRootImpl@1720d3b (visibility=0)": where the title ends, or NULL */
static const char *title_end(const struct gfxinfo_place *place, const struct gfxinfo_line *line)
{
	static const char view_root[] = "/android.view.ViewRootImpl@";

	return place->listing ? memmem(line->s, line->len, view_root, strlen(view_root)) : NULL;
}

bool gfxinfo_place_takes(const struct gfxinfo_place *place, const struct gfxinfo_line *line)
{
	static const char *const begins[] = { GFXINFO_PROCESS_LINE, WINDOW_LINE, PACKAGE_LINE };
	static const char *const whole[] = { GFXINFO_LIST_LINE, VIEWS_LINE };
	const char *p = line->s, *end = p + line->len;

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (gfxinfo_take(p, end, begins[i]))
			return true;
	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++)
		if (gfxinfo_take(p, end, whole[i]) == end)
			return true;
	return title_end(place, line);
}

enum gfxinfo_place_line gfxinfo_place_line(struct gfxinfo_place *place,
					   const struct gfxinfo_line *line)
{
	const char *p = line->s, *end = p + line->len, *at;

	if ((at = gfxinfo_take(p, end, GFXINFO_PROCESS_LINE)))
		return take_process(place, at, line);
	if ((at = gfxinfo_take(p, end, WINDOW_LINE))) {
		take_window(place, at, (size_t)(end - at));
		return PLACE_TAKEN;
	}
	if ((at = gfxinfo_take(p, end, PACKAGE_LINE))) {
		take_package(place, at, (size_t)(end - at));
		return PLACE_TAKEN;
	}
	if (gfxinfo_take(p, end, GFXINFO_LIST_LINE) == end) {
		place->listing = true;
		return PLACE_TAKEN;
	}
	/* its lines are titles too, of the same windows */
	if (gfxinfo_take(p, end, VIEWS_LINE) == end) {
		place->listing = false;
		return PLACE_TAKEN;
	}
	at = title_end(place, line);
	if (!at)
		return PLACE_OTHER;
	set_window(place, p, (size_t)(at - p));
	place->titled = true;
	return PLACE_TAKEN;
}

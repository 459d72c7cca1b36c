/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Values into JSON objects; what was not observed, or makes no sense, is left out. */
#ifndef OUTPUT_JSON_VALUES_H
#define OUTPUT_JSON_VALUES_H

#include <jansson.h>
#include <stdint.h>

#include "output/cells.h"

/* The object if all that was set in it is (rc 0); else it is freed, and NULL. */
json_t *json_if(int rc, json_t *object);

/* Each 0, or -1 when out of memory. */

/* Not beyond what a JSON reader takes: such a number comes from a forged file. */
int json_set_number(json_t *object, const char *key, uint64_t value);

/* A whole number as an integer, as far as a double tells it from its neighbours; x is finite. */
json_t *json_figure(double x);

/* The same as a member; what is not finite is left out. */
int json_set_figure(json_t *object, const char *key, double x);

/* Printable text; NULL or empty is left out. */
int json_set_text(json_t *object, const char *key, const char *value);

/* Text from a traced program: escaped. */
int json_set_name(json_t *object, const char *key, const char *value);

int json_set_cell(json_t *object, const char *key, const struct cell *c);

#endif

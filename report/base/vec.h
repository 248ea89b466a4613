/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_BASE_VEC_H
#define RP_BASE_VEC_H

#include <stddef.h>

/* A typed growing array.  Zero-initialised is empty and valid. */
#define RP_VEC(type)                                                           \
	struct {                                                               \
		type *at;                                                      \
		size_t count;                                                  \
		size_t capacity;                                               \
	}

/*
 * Append one zeroed element and give its address, or NULL if memory is out.
 * Addresses of earlier elements may change.
 */
#define rp_vec_push(v)                                                         \
	((__typeof__((v)->at))rp_vec_push_((void **)&(v)->at, &(v)->count,     \
					   &(v)->capacity, sizeof(*(v)->at)))

/* Free the array itself; the elements' own memory is the caller's affair. */
#define rp_vec_release(v)                                                      \
	rp_vec_release_((void **)&(v)->at, &(v)->count, &(v)->capacity)

void *rp_vec_push_(void **at, size_t *count, size_t *capacity, size_t size);
void rp_vec_release_(void **at, size_t *count, size_t *capacity);

/* A list of owned strings. */
typedef RP_VEC(char *) rp_strings;

int rp_strings_add(rp_strings *list, const char *text); /* copies; 0/-ENOMEM */
int rp_strings_addf(rp_strings *list, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void rp_strings_release(rp_strings *list);

#endif

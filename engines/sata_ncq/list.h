/* SPDX-License-Identifier: GPL-2.0-only */
/* First come, first served: of what begins with a struct sn_link. */
#ifndef SN_LIST_H
#define SN_LIST_H

#include <stddef.h>

struct sn_link {
	struct sn_link *next;
};

struct sn_list {
	struct sn_link *first, **end;
	unsigned int n;
};

static inline void sn_list_init(struct sn_list *list)
{
	list->first = NULL;
	list->end = &list->first;
	list->n = 0;
}

static inline void sn_list_push(struct sn_list *list, struct sn_link *link)
{
	link->next = NULL;
	*list->end = link;
	list->end = &link->next;
	list->n++;
}

/* NULL from an empty one. */
static inline void *sn_list_pop(struct sn_list *list)
{
	struct sn_link *link = list->first;

	if (!link)
		return NULL;
	list->first = link->next;
	if (!list->first)
		list->end = &list->first;
	list->n--;
	return link;
}

#endif

/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef RP_RENDER_HTML_STYLE_H
#define RP_RENDER_HTML_STYLE_H

/* The style sheet of a page: system fonts, light, dark and print. */
extern const char rp_html_style[];

#endif

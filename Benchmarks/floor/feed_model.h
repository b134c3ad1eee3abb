/* A plain model of a feed, filled by libxml2's push parser. It keeps a copy of the text and the attributes of every element of the
   items; it repairs, resolves and converts nothing. */
#pragma once
#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>

struct field { char *name, *text; struct field *next; };
struct item { struct field *fields; struct item *next; };
struct model { struct item *items; size_t count, depth, length, capacity; char *text; struct item channel; };

static char *copy(const char *bytes, size_t length) {
    char *to = malloc(length + 1);
    memcpy(to, bytes, length);
    to[length] = 0;
    return to;
}
static void keep(struct model *m, const char *name, const char *text, size_t length) {
    struct item *item = m->items ? m->items : &m->channel;
    struct field *field = malloc(sizeof *field);
    *field = (struct field){copy(name, strlen(name)), copy(text, length), item->fields};
    item->fields = field;
}
static void start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
                  const xmlChar **declared, int count, int defaulted, const xmlChar **attributes) {
    struct model *m = context;
    (void)prefix, (void)uri, (void)namespaces, (void)declared, (void)defaulted;
    m->depth++;
    m->length = 0;
    if (!strcmp((const char *)name, "item") || !strcmp((const char *)name, "entry")) {
        struct item *item = calloc(1, sizeof *item);
        item->next = m->items;
        m->items = item;
        m->count++;
    }
    for (int i = 0; i < count; i++)
        keep(m, (const char *)attributes[i * 5], (const char *)attributes[i * 5 + 3],
             (size_t)(attributes[i * 5 + 4] - attributes[i * 5 + 3]));
}
static void end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
    struct model *m = context;
    (void)prefix, (void)uri;
    if (m->length) keep(m, (const char *)name, m->text, m->length);
    m->length = 0;
    m->depth--;
}
static void characters(void *context, const xmlChar *bytes, int length) {
    struct model *m = context;
    if (m->length + (size_t)length > m->capacity) {
        m->capacity = (m->length + (size_t)length) * 2;
        m->text = realloc(m->text, m->capacity);
    }
    memcpy(m->text + m->length, bytes, (size_t)length);
    m->length += (size_t)length;
}

static xmlParserCtxtPtr parser_into(struct model *m) {
    xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC, .startElementNs = start, .endElementNs = end,
                             .characters = characters, .cdataBlock = characters};
    xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&handler, m, NULL, 0, NULL);
    xmlCtxtUseOptions(parser, XML_PARSE_RECOVER | XML_PARSE_NONET | XML_PARSE_HUGE);
    return parser;
}

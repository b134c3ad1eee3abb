#pragma once
#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
#include <libxml/dict.h>
#include <stdbool.h>
#include "../CLinux/loading.h"

#if LIBXML_VERSION >= 21400
#define LIBXML2_FILE "libxml2.so.16"
#else
#define LIBXML2_FILE "libxml2.so.2"
#endif
#define LIBXML2_FUNCTIONS(each) \
    each(xmlInitParser) each(xmlCreatePushParserCtxt) each(xmlCtxtUseOptions) each(xmlDictSetLimit) each(xmlDictGetUsage) each(xmlParseChunk) \
    each(xmlFreeDoc) each(xmlFreeParserCtxt)
SHIM_LIBRARY(libxml2_functions, LIBXML2_FILE, LIBXML2_FUNCTIONS)

// libxml2 2.14 deprecates these members, and has no function for the first one.
static inline bool shim_is_in_content(xmlParserCtxtPtr context) { return context->instate == XML_PARSER_CONTENT; }
static inline bool shim_is_stopped(xmlParserCtxtPtr context) { return context->disableSAX != 0; }

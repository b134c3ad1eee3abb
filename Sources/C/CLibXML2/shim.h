#pragma once
#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
#include <libxml/dict.h>
#include <stdbool.h>

// libxml2 2.14 deprecates these members, and has no function for the first one.
static inline bool shim_is_in_content(xmlParserCtxtPtr context) { return context->instate == XML_PARSER_CONTENT; }
static inline bool shim_is_stopped(xmlParserCtxtPtr context) { return context->disableSAX != 0; }

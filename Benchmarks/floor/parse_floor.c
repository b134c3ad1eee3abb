/* parse_floor FILE...: the cost of libxml2's push parser and a plain model alone. */
#include "feed_model.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    static char piece[65536];
    size_t items = 0;
    for (int i = 1; i < argc; i++) {
        struct model model = {0};
        xmlParserCtxtPtr parser = parser_into(&model);
        int file = open(argv[i], O_RDONLY);
        ssize_t got;
        while ((got = read(file, piece, sizeof piece)) > 0) xmlParseChunk(parser, piece, (int)got, 0);
        xmlParseChunk(parser, piece, 0, 1);
        close(file);
        xmlFreeParserCtxt(parser);
        items += model.count;
    }
    printf("%zu items\n", items);
    return 0;
}

#pragma once
#include <qrencode.h>
#include "../CLinux/loading.h"

#define QRENCODE_FUNCTIONS(each) each(QRcode_encodeString8bit) each(QRcode_free)
SHIM_LIBRARY(qrencode_functions, "libqrencode.so.4", QRENCODE_FUNCTIONS)

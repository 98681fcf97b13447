#include "build.h"

const char *landfall_build(void) {
    return LANDFALL_BUILD;
}

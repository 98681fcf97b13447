#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer as a library (compiler-rt's libclang_rt.fuzzer_no_main), for programs that have their own main.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*UserCb)(const uint8_t *Data, size_t Size));

/// The commit and the compiler of a packaged program, in UTF-8.
const char *landfall_build(void);

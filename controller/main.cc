#include "controller/cli/main.h"

int main(int argc, char** argv) { return eos::cli::Main({argv + 1, argv + argc}); }

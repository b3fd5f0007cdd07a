// A program that uses everything.
#include <articula/version.h>

#include <iostream>

int main() { std::cout << "articula " << ARTICULA_VERSION << '\n'; }

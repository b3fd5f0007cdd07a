#pragma once

#include <articula/generate/record.h>

namespace articula::generate {

/// The numbers of a mechanism as traces: constants, but for those that `names` says, which become the input array
/// `array` and are described in `described`. A recording is going on.
///
/// Throws the Error `symbolic-unknown`, naming the choices.
Parameters<Trace> symbolic_parameters(const Mechanism& mech, const Parameters<double>& numbers,
                                      const std::vector<std::string>& names, const Recording& recording, int array,
                                      FunctionArray& described);

}  // namespace articula::generate

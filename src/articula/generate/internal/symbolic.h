#pragma once

#include <articula/generate/record.h>

namespace articula::generate {

/// The parameters of a mechanism as traces: constants, except those in `names`, which become entries of the input array
/// `array` and are described in `described`. @pre a recording is active
///
/// Throws the Error `symbolic-unknown`, which lists the choices.
Parameters<Trace> symbolic_parameters(const Mechanism& mech, const Parameters<double>& numbers,
                                      const std::vector<std::string>& names, const Recording& recording, int array,
                                      FunctionArray& described);

}  // namespace articula::generate

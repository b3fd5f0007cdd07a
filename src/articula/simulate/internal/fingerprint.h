#pragma once

#include <articula/control/block.h>
#include <articula/control/trajectory.h>
#include <articula/mechanism/parameters.h>
#include <articula/simulate/internal/checkpoint.h>

/// What makes a run what it is, gathered into a fingerprint.
namespace articula::simulate {

/// Every number of a mechanism, its structure and its names.
void add(Fingerprint& print, const Mechanism& mech, const Parameters<double>& par);

/// Its values and two derivatives at 257 times of [begin, until] and at its jumps, bit by bit: kinds of users have nothing
/// else in common.
void add(Fingerprint& print, const Trajectory& trajectory, double begin, double until);

/// What it computes for inputs and states of many sizes, at times of [begin, until] and around its own, bit by bit: rates,
/// outputs, events, samples and jumps.
void add(Fingerprint& print, const Block& block, double begin, double until);

/// A number computed from a fixed formula for each k = 0, 1, …: sizes from 1e-4 to 1e4, either sign.
double probe(std::uint64_t k);

}  // namespace articula::simulate

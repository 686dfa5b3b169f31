#pragma once

#include <optional>
#include <string>

namespace rondo::evaluation {

/// The scores of one answer as text for a run file, best document first: every score is lower than the one before it,
/// also for a program that keeps scores in single precision (trec_eval does). So any program that sorts by score sees
/// the order in which the documents were written, however it breaks ties.
///
/// A score that is lower than the last one written in single precision is written exactly (the shortest decimal that
/// reads back as the same double). Any other is written as the last one minus the smallest step in single precision, or
/// minus 1e-9 if that is more. Scores beyond 1e30, and infinite ones, are written as 1e30 with their sign.
class FallingScores {
 public:
  [[nodiscard]] std::string next(double score);

 private:
  std::optional<float> last_;
};

}  // namespace rondo::evaluation

#pragma once

#include <span>

#include "search/fast/method.h"

namespace rondo::fast {

/// A method with two nets. The coarse one gives every document a score that it cannot exceed; then documents are taken
/// in the order of these bounds, so that the bar rises early, and a finer net looks at those that reach it. What
/// passes that as well is scored exactly.
class Sieve : public Method {
 public:
  void run(const Field& field, Team& team) const final;

 protected:
  explicit Sieve(std::size_t shortest) : shortest_(shortest) {}

  /// A bound that cannot be had: the document will be scored.
  static constexpr float kUnknown = std::numeric_limits<float>::infinity();
  /// The bound of what takes no part or cannot be ranked.
  static constexpr float kNever = -std::numeric_limits<float>::infinity();
  /// The least float that is not below a bound computed in doubles, with room for the rounding of sums: far less than
  /// the difference between any two scores that are not equal.
  [[nodiscard]] static float raised(double bound);

  struct Candidate {
    DocumentId document = 0;
    double bound = 0;
    bool exact = false;  ///< the bound is the score itself
  };

  /// The coarse net: one of these two. Bounds of all documents with enough notes; the others keep kNever. It may bound
  /// what takes no part. As it is here, by the other:
  virtual void bound_all(const Field& field, Team& team, std::vector<float>& bound) const;
  /// Bounds of documents [begin, end), all of `notes` notes.
  virtual void coarse(const Segment& segment, std::uint32_t notes, DocumentId begin, DocumentId end,
                      float* bound) const;
  /// Lowers bounds. A document that cannot reach `bar` may get any bound below it. As it is here, none: for a coarse
  /// net that is fine enough.
  virtual void fine(const Segment& segment, std::span<Candidate> candidates, double bar) const;
  /// Notes that a document must have to be ranked.
  [[nodiscard]] std::size_t shortest() const { return shortest_; }

 private:
  [[nodiscard]] std::vector<float> bounds(const Field& field, Team& team) const;
  void sift(const Field& field, Contest& contest, std::span<const DocumentId> documents,
            const std::vector<float>& bound) const;

  std::size_t shortest_;
};

}  // namespace rondo::fast

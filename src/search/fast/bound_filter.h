#pragma once

#include <cmath>
#include <limits>
#include <span>

#include "search/fast/method.h"

namespace rondo::fast {

/// A method in two stages of upper bounds. The coarse stage bounds every document; then documents are taken in
/// descending order of their bounds, so that the threshold rises early, and the fine stage lowers the bounds of those
/// that reach it. What still reaches the threshold is scored exactly.
class BoundFilter : public Method {
 public:
  void run(const SegmentView& view, Workers& workers) const final;

 protected:
  explicit BoundFilter(std::size_t shortest) : shortest_(shortest) {}

  /// A bound that cannot be had: the document will be scored.
  static constexpr float kUnknown = std::numeric_limits<float>::infinity();
  /// The bound of what takes no part or cannot be ranked.
  static constexpr float kNever = -std::numeric_limits<float>::infinity();
  /// A float that is not below a bound computed in doubles, with room for the rounding of sums: far less than the
  /// difference between any two scores that are not equal.
  [[nodiscard]] static float raised(double bound) {
    if (!std::isfinite(bound)) return static_cast<float>(bound);
    const auto near = static_cast<float>(bound + 1e-9 * std::max(1.0, std::abs(bound)));
    // More than rounding to a float can have taken away, and without a branch: the nearest float is off by at most
    // half of this.
    return near + std::abs(near) * std::numeric_limits<float>::epsilon();
  }

  struct Candidate {
    DocumentId document = 0;
    double bound = 0;
    bool exact = false;  ///< the bound is the score itself
  };

  struct Placed {
    Segment::Notes notes;
    std::uint32_t candidate;
  };
  /// Candidates with their notes, those of one length together, so that the lanes of a batch are filled up little.
  /// Valid until the next call on this thread.
  [[nodiscard]] static std::span<const Placed> by_length(const Segment& segment, std::span<const Candidate> candidates);

  /// The coarse stage: one of these two. Bounds of all documents with enough notes; the others keep kNever. It may
  /// bound what takes no part. As it is here, by the other:
  virtual void bound_all(const SegmentView& view, Workers& workers, std::vector<float>& bound) const;
  /// Bounds of documents [begin, end), all of `notes` notes.
  virtual void coarse(const Segment& segment, std::uint32_t notes, DocumentId begin, DocumentId end,
                      float* bound) const;
  /// Lowers bounds. A document that cannot reach `threshold` may get any bound below it. As it is here, none: for a
  /// coarse stage that is fine enough.
  virtual void fine(const Segment& segment, std::span<Candidate> candidates, double threshold) const;
  /// How many documents the fine stage gets at once, all with one threshold: fewer where it takes so long that a
  /// threshold that has risen meanwhile spares more than lanes that stay empty cost.
  [[nodiscard]] virtual std::size_t piece() const { return 256; }
  /// Notes that a document must have to be ranked.
  [[nodiscard]] std::size_t shortest() const { return shortest_; }

 private:
  [[nodiscard]] std::vector<float> bounds(const SegmentView& view, Workers& workers) const;
  void score_candidates(const SegmentView& view, TopK& top_k, std::span<const DocumentId> documents,
                        const std::vector<float>& bound) const;

  std::size_t shortest_;
};

}  // namespace rondo::fast

#pragma once

#include "search/fast/method.h"

namespace rondo::fast {

/// A method that compares every document that is long enough, one length at a time: the lengths with the highest
/// possible score first, and none that cannot reach the threshold.
class ByLength : public Method {
 public:
  void run(const SegmentView& view, Workers& workers) const final;

 protected:
  explicit ByLength(std::size_t shortest) : shortest_(shortest) {}
  /// No document of so many notes scores higher.
  [[nodiscard]] virtual double best_score(std::size_t notes) const = 0;
  /// Documents [begin, end), all of `notes` notes.
  virtual void compare(const SegmentView& view, std::uint32_t notes, DocumentId begin, DocumentId end,
                       TopK& top_k) const = 0;

 private:
  std::size_t shortest_;
};

}  // namespace rondo::fast

#include <algorithm>
#include <bit>

#include "formats/score.h"

namespace rondo {
namespace {

/// Limit of jumps; each costs a pass over the measures.
constexpr int kJumps = 32;

class Player {
 public:
  Player(const std::vector<ScoreMeasure>& measures, std::size_t limit)
      : measures_(measures), limit_(limit), taken_(measures.size(), false), later_pass_(measures.size(), 0) {
    for (std::size_t i = measures.size(); i-- > 1;) {
      const RepeatMark& mark = measures[i].repeat;
      if (mark.endings == 0 || mark.starts) continue;
      later_pass_[i - 1] = std::max(later_pass_[i], static_cast<int>(std::bit_width(mark.endings)));
    }
  }

  Result<std::vector<std::uint32_t>> play() {
    std::size_t from = 0;
    while (from < measures_.size()) {
      auto next = play_from(from);
      if (!next) return fail(std::move(next.error()));
      from = *next;
    }
    return std::move(order_);
  }

 private:
  /// Plays with repeats from a measure to the first jump not taken yet, takes it, and returns where to continue.
  Result<std::size_t> play_from(std::size_t from) {
    const std::size_t end = measures_.size();
    std::size_t jump = from;
    while (jump < end && !(jumps(jump) && !taken_[jump])) ++jump;
    std::vector<RepeatMark> marks;
    marks.reserve(end - from);
    for (std::size_t i = from; i < end; ++i) marks.push_back(measures_[i].repeat);
    auto part = play_order(marks, limit_);
    if (!part) return fail(std::move(part.error()));
    if (jump < end) {
      // The jump is taken when the repeats around it are done: after its last time.
      const auto last = std::find(part->rbegin(), part->rend(), static_cast<std::uint32_t>(jump - from));
      if (last == part->rend()) {
        jump = end;  // is in an ending that is never played
      } else {
        part->erase(last.base(), part->end());
      }
    }
    for (const std::uint32_t i : *part) {
      if (!add(from + i)) return too_long();
    }
    if (jump == end || ++jumps_ > kJumps) return end;
    taken_[jump] = true;
    return after_jump(target(jump), jump);
  }

  /// Plays after a jump, without repeats; returns where to continue with them.
  Result<std::size_t> after_jump(std::size_t from, std::size_t jump) {
    for (std::size_t i = from; i < measures_.size(); ++i) {
      if (!last_ending(i)) continue;
      if (!add(i)) return too_long();
      const JumpMarks& marks = measures_[i].jumps;
      if (marks.fine) return measures_.size();
      if (!marks.to_coda.empty()) {
        const std::size_t coda = find(&JumpMarks::coda, marks.to_coda);
        if (coda > i && coda < measures_.size()) return coda;
      }
      // Without a fine the piece goes on after the place it jumped from.
      if (i == jump) return i + 1;
    }
    return measures_.size();
  }

  [[nodiscard]] bool jumps(std::size_t i) const {
    return measures_[i].jumps.da_capo || !measures_[i].jumps.dal_segno.empty();
  }

  [[nodiscard]] std::size_t target(std::size_t i) const {
    if (measures_[i].jumps.da_capo) return 0;
    const std::size_t segno = find(&JumpMarks::segno, measures_[i].jumps.dal_segno);
    return segno <= i ? segno : 0;
  }

  /// The measure with that mark: of that name, else the first with any.
  [[nodiscard]] std::size_t find(std::string JumpMarks::*mark, const std::string& name) const {
    std::size_t any = measures_.size();
    for (std::size_t i = 0; i < measures_.size(); ++i) {
      const std::string& here = measures_[i].jumps.*mark;
      if (here.empty()) continue;
      if (here == name) return i;
      any = std::min(any, i);
    }
    return any;
  }

  /// False for a measure of an ending that is followed by one for a later pass.
  [[nodiscard]] bool last_ending(std::size_t i) const {
    const std::uint32_t own = measures_[i].repeat.endings;
    return own == 0 || later_pass_[i] <= static_cast<int>(std::bit_width(own));
  }

  bool add(std::size_t i) {
    if (order_.size() >= limit_) return false;
    order_.push_back(static_cast<std::uint32_t>(i));
    return true;
  }

  [[nodiscard]] Failure too_long() const {
    return fail("repeats-too-long",
                "written out, repeats and jumps give more than " + std::to_string(limit_) + " bars");
  }

  const std::vector<ScoreMeasure>& measures_;
  std::size_t limit_;
  std::vector<bool> taken_;
  std::vector<int> later_pass_;  // the highest pass among the endings that follow without a break
  int jumps_ = 0;
  std::vector<std::uint32_t> order_;
};

/// A repeat that begins at a later ending, |1 :|2 |: :|, begins a new section, which must not be bound to the pass of
/// the ending.
void open_sections_at_endings(std::vector<ScoreMeasure>& measures) {
  for (std::size_t i = 1; i < measures.size(); ++i) {
    const std::uint32_t endings = measures[i].repeat.endings;
    const RepeatMark& before = measures[i - 1].repeat;
    if (!measures[i].repeat.starts || endings <= 1 || before.endings == 0 || before.ends == 0) continue;
    for (std::size_t j = i; j < measures.size() && measures[j].repeat.endings == endings; ++j) {
      measures[j].repeat.endings = 0;
    }
  }
}

}  // namespace

Result<std::vector<std::uint32_t>> playing_order(std::vector<ScoreMeasure>& measures, std::size_t limit) {
  open_sections_at_endings(measures);
  auto order = Player(measures, limit).play();
  if (!order) return order;
  // Contradictory endings can hide music; it is better to play it once too often than never.
  std::vector<bool> played(measures.size(), false);
  for (const std::uint32_t i : *order) played[i] = true;
  bool hidden = false;
  for (std::size_t i = 0; i < measures.size(); ++i) {
    if (played[i] || measures[i].repeat.endings == 0) continue;
    measures[i].repeat.endings = 0;
    hidden = true;
  }
  return hidden ? Player(measures, limit).play() : order;
}

}  // namespace rondo

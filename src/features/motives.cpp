#include "features/motives.h"

#include <algorithm>
#include <tuple>

namespace rondo {
namespace {

/// All places where one sequence occurs.
struct Class {
  Motive motive;
  bool part_of_longer = false;
};

/// A place where a repeated sequence begins, and which one.
struct MotivePlace {
  std::uint64_t key;  ///< class of the sequence without its last interval, and that interval
  std::uint32_t at;
};

constexpr std::uint32_t kNone = UINT32_MAX;

/// Proceeds by length: a sequence of length n + 1 extends one of length n, so only the positions of repeated sequences
/// of length n need to be checked, and these soon become few.
class Levels {
 public:
  explicit Levels(std::span<const std::int16_t> intervals) : intervals_(intervals), class_at_(intervals.size(), 0) {
    classes_.push_back({});  // the empty sequence, which is everywhere
    places_.reserve(intervals.size());
    for (std::uint32_t at = 0; at < intervals.size(); ++at) places_.push_back({0, at});
  }

  /// Proceeds to the next length; false if nothing of that length is repeated.
  bool next() {
    for (MotivePlace& place : places_) place.key = key(class_at_[place.at], intervals_[place.at + length_]);
    ++length_;
    std::sort(places_.begin(), places_.end(),
              [](const MotivePlace& a, const MotivePlace& b) { return std::tie(a.key, a.at) < std::tie(b.key, b.at); });
    std::vector<std::uint32_t> next_class_at(class_at_.size(), kNone);
    std::vector<Class> next_classes;
    for (std::size_t begin = 0; begin < places_.size();) {
      std::size_t end = begin;
      while (end < places_.size() && places_[end].key == places_[begin].key) ++end;
      const Motive motive{places_[begin].at, length_, count(begin, end)};
      if (motive.count >= 2) {
        const auto number = static_cast<std::uint32_t>(next_classes.size());
        for (std::size_t i = begin; i < end; ++i) next_class_at[places_[i].at] = number;
        next_classes.push_back({motive, false});
        swallow(motive.first, motive.count);
        swallow(motive.first + 1, motive.count);
      }
      begin = end;
    }
    finished_.swap(classes_);
    classes_.swap(next_classes);
    class_at_.swap(next_class_at);
    // A longer repeated sequence can begin only where a repeated one begins and another interval follows.
    std::erase_if(places_, [&](const MotivePlace& place) {
      return class_at_[place.at] == kNone || place.at + length_ >= intervals_.size();
    });
    return !classes_.empty();
  }

  /// The sequences of the previous length; it is now known which of them are parts of longer ones.
  [[nodiscard]] const std::vector<Class>& finished() const { return finished_; }
  [[nodiscard]] const std::vector<Class>& present() const { return classes_; }

 private:
  static std::uint64_t key(std::uint32_t before, std::int16_t interval) {
    return std::uint64_t{before} << 16U | static_cast<std::uint16_t>(interval);
  }

  [[nodiscard]] std::uint32_t count(std::size_t begin, std::size_t end) const {
    std::uint32_t times = 0;
    std::uint32_t free_from = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (places_[i].at < free_from) continue;
      ++times;
      free_from = places_[i].at + length_;
    }
    return times;
  }

  /// The sequence one shorter that begins at `at` is part of one that occurs `times`.
  void swallow(std::uint32_t at, std::uint32_t times) {
    const std::uint32_t number = class_at_[at];
    if (number != kNone && classes_[number].motive.count == times) classes_[number].part_of_longer = true;
  }

  std::span<const std::int16_t> intervals_;
  std::uint32_t length_ = 0;
  std::vector<MotivePlace> places_;
  std::vector<std::uint32_t> class_at_;  ///< of the present length, by where it begins
  std::vector<Class> classes_;
  std::vector<Class> finished_;
};

}  // namespace

std::vector<Motive> repeated_motives(std::span<const std::int16_t> intervals) {
  std::vector<Motive> out;
  const auto take = [&](const std::vector<Class>& classes) {
    for (const Class& one : classes) {
      if (one.motive.length >= 2 && !one.part_of_longer) out.push_back(one.motive);
    }
  };
  if (intervals.size() < 4) return out;  // two times two
  Levels levels(intervals);
  bool more = true;
  for (std::uint32_t length = 1; more && length <= kLongestMotive; ++length) {
    more = levels.next();
    take(levels.finished());
  }
  take(levels.present());
  const auto order = [](const Motive& a, const Motive& b) {
    return std::tie(b.count, b.length, a.first) < std::tie(a.count, a.length, b.first);
  };
  std::sort(out.begin(), out.end(), order);
  if (out.size() > kMostMotives) out.resize(kMostMotives);
  return out;
}

}  // namespace rondo

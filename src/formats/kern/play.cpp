#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "formats/kern/score.h"
#include "melody/limits.h"
#include "rondo/melody/builder.h"

namespace rondo::kern {
namespace {

using Order = std::vector<std::uint32_t>;

constexpr std::size_t kStretchesPlayed = 100'000;
constexpr std::size_t kVoiceStretchesPlayed = 5'000'000;           // 50 voices of as many
constexpr std::size_t kEventsPlayed = 5 * limits::kNotesPerVoice;  // rests and signatures need a limit too

Error too_long() { return {"repeats-too-long", "written out, the repeats give more than a melody can hold", {}, {}}; }

/// The playing order of the sections by the score's list of labels.
Result<Order> section_order(const Score& score, Remarks& remarks) {
  std::map<std::string_view, std::pair<std::uint32_t, std::uint32_t>> sections;
  const auto count = static_cast<std::uint32_t>(score.stretches.size());
  std::uint32_t first_label = count;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (score.stretches[i].label.empty()) continue;
    first_label = std::min(first_label, i);
    std::uint32_t end = i + 1;
    while (end < count && score.stretches[end].label.empty()) ++end;
    sections.emplace(score.stretches[i].label, std::pair{i, end});
  }
  // Music before the first label belongs to no section: it is played once, first.
  Order order(first_label == count ? 0 : first_label);
  std::iota(order.begin(), order.end(), 0U);
  const std::size_t before = order.size();
  for (const std::string& label : score.expansion) {
    const auto found = sections.find(label);
    if (found == sections.end()) {
      remarks.add("kern-unknown-section", "the list of sections names a section that is not there: " + label);
      continue;
    }
    const auto [begin, end] = found->second;
    if (order.size() + (end - begin) > kStretchesPlayed) return fail(too_long());
    for (std::uint32_t i = begin; i < end; ++i) order.push_back(i);
  }
  if (order.size() == before) order.clear();
  return order;
}

Result<Order> order_of(const Score& score, bool expand, Remarks& remarks) {
  if (expand && !score.expansion.empty()) {
    auto order = section_order(score, remarks);
    if (!order || !order->empty()) return order;
  }
  if (!expand) {
    Order written(score.stretches.size());
    std::iota(written.begin(), written.end(), 0U);
    return written;
  }
  std::vector<RepeatMark> marks;
  marks.reserve(score.stretches.size());
  for (const Stretch& stretch : score.stretches) marks.push_back(stretch.repeat);
  return play_order(marks, kStretchesPlayed);
}

/// The elements of one stretch in a list that is in order of stretches.
template <typename T>
std::pair<typename std::vector<T>::const_iterator, typename std::vector<T>::const_iterator> of_stretch(
    const std::vector<T>& list, std::uint32_t stretch) {
  const auto begin = std::lower_bound(list.begin(), list.end(), stretch,
                                      [](const T& item, std::uint32_t s) { return item.stretch < s; });
  auto end = begin;
  while (end != list.end() && end->stretch == stretch) ++end;
  return {begin, end};
}

class VoicePlayer {
 public:
  VoicePlayer(const Score& score, const WrittenVoice& voice, Remarks& remarks)
      : score_(score), voice_(voice), remarks_(remarks), builder_(voice.name) {
    all_bars_count_ = std::none_of(score.stretches.begin(), score.stretches.end(),
                                   [](const Stretch& stretch) { return stretch.bar_number; });
  }

  [[nodiscard]] Result<Voice> play(const Order& order) {
    Fraction now;
    for (std::size_t i = 0; i < order.size() && !builder_.failed(); ++i) {
      const Stretch& stretch = score_.stretches[order[i]];
      const bool jumped = i == 0 ? order[0] != 0 : order[i] != order[i - 1] + 1;
      if (counts_as_bar(stretch)) bars_.push_back(now);
      shift_ = now - stretch.start;
      play_stretch(order[i], jumped, now);
      if (events_ > kEventsPlayed) return fail(too_long());
      now += stretch.length;
    }
    for (const Note& note : notes_) {
      if (note.grace) {
        builder_.grace(note.onset, note.duration, note.pitch);
      } else {
        builder_.note(note.onset, note.duration, note.pitch, false, note.spelled);
      }
    }
    add_bars();
    return builder_.finish();
  }

 private:
  /// If bars are numbered, bar lines without a number (a repeat sign within a bar) begin no measure.
  [[nodiscard]] bool counts_as_bar(const Stretch& stretch) const {
    return stretch.after_bar && (stretch.bar_number || all_bars_count_);
  }

  void add_bars() {
    if (bars_.empty()) return;
    builder_.bar(0);
    for (const Fraction bar : bars_) {
      if (bar < builder_.length()) builder_.bar(bar);
    }
  }

  void play_stretch(std::uint32_t stretch, bool jumped, Fraction now) {
    changes(voice_.clefs, stretch, jumped, now, [&](Fraction t, const Clef& v) { builder_.clef(t, v); });
    changes(voice_.key_signatures, stretch, jumped, now,
            [&](Fraction t, const KeySignature& v) { builder_.key_signature(t, v); });
    changes(voice_.keys, stretch, jumped, now, [&](Fraction t, const Key& v) { builder_.key(t, v); });
    changes(voice_.times, stretch, jumped, now, [&](Fraction t, const TimeSignature& v) { builder_.time(t, v); });
    const auto [begin, end] = of_stretch(voice_.notes, stretch);
    for (auto it = begin; it != end && events_ <= kEventsPlayed; ++it) {
      ++events_;
      play_note(*it, jumped && it->onset == score_.stretches[stretch].start);
    }
  }

  /// After a jump, restores the values in force at its target.
  template <typename T, typename Put>
  void changes(const std::vector<Statement<T>>& list, std::uint32_t stretch, bool jumped, Fraction now, Put put) {
    const auto [begin, end] = of_stretch(list, stretch);
    if (jumped && begin != list.begin()) put(now, std::prev(begin)->value);
    for (auto it = begin; it != end && events_ <= kEventsPlayed; ++it) {
      ++events_;
      put(it->onset + shift_, it->value);
    }
  }

  void play_note(const WrittenNote& written, bool after_jump) {
    const Fraction onset = written.onset + shift_;
    if (written.rest) {
      builder_.lasts_until(onset + written.duration);
      return;
    }
    if (written.grace) {
      notes_.push_back({onset, written.duration, written.pitch, true, true});
      return;
    }
    std::size_t index = notes_.size();
    if (written.tied_before && find_tie(written, onset, index)) {
      notes_[index].duration += written.duration;
    } else {
      if (written.tied_before && !after_jump) remark_dangling(written);
      notes_.push_back({onset, written.duration, written.pitch, false, written.spelled});
    }
    const Fraction end = onset + written.duration;
    builder_.lasts_until(end);
    if (written.tied_after) ties_.emplace(TieKey{end, written.pitch.midi(), written.strand}, index);
  }

  /// A tie continues in its own branch if possible, else in any branch of the voice.
  bool find_tie(const WrittenNote& written, Fraction onset, std::size_t& index) {
    const int midi = written.pitch.midi();
    auto found = ties_.find(TieKey{onset, midi, written.strand});
    if (found == ties_.end()) {
      found = ties_.lower_bound(TieKey{onset, midi, 0});
      const bool fits = found != ties_.end() && std::get<0>(found->first) == onset && std::get<1>(found->first) == midi;
      if (!fits) return false;
    }
    index = found->second;
    ties_.erase(found);
    return true;
  }

  void remark_dangling(const WrittenNote& written) {
    Place where;
    where.line = written.line;
    remarks_.add("kern-tie-dangling", "a tie ends that did not begin; the note is read as a new one", where);
  }

  using TieKey = std::tuple<Fraction, int, std::uint32_t>;  // where it ends, MIDI number, branch

  const Score& score_;
  const WrittenVoice& voice_;
  Remarks& remarks_;
  VoiceBuilder builder_;
  std::vector<Note> notes_;
  std::vector<Fraction> bars_;
  std::multimap<TieKey, std::size_t> ties_;
  Fraction shift_;
  std::size_t events_ = 0;
  bool all_bars_count_ = false;
};

}  // namespace

Result<std::vector<Voice>> play(const Score& score, bool expand, Remarks& remarks) {
  auto order = order_of(score, expand, remarks);
  if (!order) return fail(std::move(order.error()));
  if (order->size() * score.voices.size() > kVoiceStretchesPlayed) return fail(too_long());
  std::vector<Voice> voices;
  for (auto written = score.voices.rbegin(); written != score.voices.rend(); ++written) {
    auto voice = VoicePlayer(score, *written, remarks).play(*order);
    if (!voice) return fail(std::move(voice.error()));
    voices.push_back(std::move(*voice));
  }
  return voices;
}

}  // namespace rondo::kern

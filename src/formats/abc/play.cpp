#include "formats/abc/play.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "melody/limits.h"
#include "rondo/melody/builder.h"

namespace rondo::abc {
namespace {

using Order = std::vector<std::uint32_t>;

/// Maximal number of open ties; real music has fewer.
constexpr std::ptrdiff_t kOpenTies = 128;

/// The playing order of the stretches of a tune with repeats and parts.
class PlayingOrder {
 public:
  explicit PlayingOrder(std::span<const Stretch> stretches) : stretches_(stretches) {
    marks_.reserve(stretches.size());
    for (const Stretch& stretch : stretches) marks_.push_back(stretch.mark);
  }

  Result<Order> run(const std::string& parts) {
    const bool by_parts = std::any_of(stretches_.begin(), stretches_.end(), [&](const Stretch& s) {
      return s.part != '\0' && parts.find(s.part) != std::string::npos;
    });
    if (!by_parts) return play_order(marks_);
    Order order;
    auto done = append(order, '\0');  // the music before the first label
    for (std::size_t i = 0; done && i < parts.size(); ++i) done = append(order, parts[i]);
    if (!done) return fail(std::move(done.error()));
    return order;
  }

 private:
  Result<void> append(Order& order, char label) {
    auto known = parts_.find(label);
    if (known == parts_.end()) {
      auto played = play_part(label);
      if (!played) return fail(std::move(played.error()));
      known = parts_.emplace(label, std::move(*played)).first;
    }
    if (order.size() + known->second.size() > limits::kBarsPerVoice) {
      return fail("abc-too-long", "with its parts and repeats written out the tune is longer than a voice may be");
    }
    order.insert(order.end(), known->second.begin(), known->second.end());
    return {};
  }

  /// All stretches under the label in written order; those that follow each other are one section.
  Result<Order> play_part(char label) const {
    Order all;
    for (std::size_t i = 0; i < stretches_.size();) {
      const std::size_t begin = i;
      while (i < stretches_.size() && stretches_[i].part == label) ++i;
      if (begin == i) {
        ++i;
        continue;
      }
      auto section = play_order(std::span(marks_).subspan(begin, i - begin));
      if (!section) return section;
      for (const std::uint32_t index : *section) all.push_back(static_cast<std::uint32_t>(begin + index));
    }
    return all;
  }

  std::span<const Stretch> stretches_;
  std::vector<RepeatMark> marks_;
  std::map<char, Order> parts_;
};

Result<Order> playing_order(const Script& script, const PlayOptions& options) {
  if (options.expand_repeats) return PlayingOrder(script.stretches()).run(options.parts);
  Order order(script.stretches().size());
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

/// State while the stretches are played in order: time, ties, layers.
class Player {
 public:
  Player(const Script& script, std::string name) : script_(script), builder_(std::move(name)) {
    matched_.resize(script.notes().size());
  }

  Result<Voice> run(const Order& order);
  /// True if the tie of this note was resolved at least once, or it has none.
  [[nodiscard]] bool tie_kept(std::size_t note) const { return !script_.notes()[note].ties || matched_[note]; }

 private:
  struct OpenTie {
    std::size_t played;    ///< index into notes_
    std::uint32_t source;  ///< index of the script's note
    Fraction end;
    Pitch pitch;
  };

  void stretch(std::uint32_t index);
  void event(const Event& event);
  void sound(const Event& event);
  void note(const ScriptNote& written, std::uint32_t source);
  void bar();
  void signs(const Signs& signs);
  void begin_timed();

  const Script& script_;
  VoiceBuilder builder_;
  std::vector<Note> notes_;
  std::vector<OpenTie> open_;
  std::vector<OpenTie> opening_;
  std::vector<bool> matched_;
  Fraction now_;
  Fraction bar_start_;
  Fraction layers_end_;
  std::uint32_t next_ = 0;  ///< the stretch that follows in writing
  bool bar_due_ = true;
};

Result<Voice> Player::run(const Order& order) {
  constexpr std::size_t kEventsPlayed = 4'000'000;
  std::size_t played = 0;
  for (const std::uint32_t index : order) {
    const auto stretches = script_.stretches();
    const std::size_t end = index + 1 < stretches.size() ? stretches[index + 1].begin : script_.events().size();
    played += 1 + end - stretches[index].begin;
    if (played > kEventsPlayed || notes_.size() > limits::kNotesPerVoice) {
      return fail("abc-too-long", "with its repeats written out the tune is longer than a voice may be");
    }
    stretch(index);
  }
  now_ = std::max(now_, layers_end_);
  for (const Note& note : notes_) {
    if (note.grace) {
      builder_.grace(note.onset, note.duration, note.pitch);
    } else {
      builder_.note(note.onset, note.duration, note.pitch);
    }
  }
  builder_.lasts_until(now_);
  return builder_.finish();
}

void Player::stretch(std::uint32_t index) {
  const auto stretches = script_.stretches();
  const Stretch& stretch = stretches[index];
  const std::size_t end = index + 1 < stretches.size() ? stretches[index + 1].begin : script_.events().size();
  if (index != next_ && stretch.signs > 0) signs(script_.all_signs()[stretch.signs - 1]);
  next_ = index + 1;
  for (std::size_t i = stretch.begin; i < end; ++i) event(script_.events()[i]);
}

void Player::event(const Event& event) {
  switch (event.kind) {
    case Event::Kind::sound: sound(event); break;
    case Event::Kind::rest:
      begin_timed();
      now_ += event.duration;
      break;
    case Event::Kind::grace:
      for (std::uint32_t i = 0; i < event.count; ++i) {
        const ScriptNote& grace = script_.notes()[event.first + i];
        notes_.push_back(Note{now_, grace.duration, grace.pitch, true, true});
      }
      break;
    case Event::Kind::bar: bar(); break;
    case Event::Kind::overlay:
      layers_end_ = std::max(layers_end_, now_);
      now_ = bar_start_;
      break;
    case Event::Kind::signs: signs(script_.all_signs()[event.first]); break;
  }
}

/// A measure begins with the first note or rest, so that there is no empty one after the last bar line or between two.
void Player::begin_timed() {
  if (bar_due_ && script_.has_bars()) builder_.bar(now_);
  bar_due_ = false;
}

void Player::sound(const Event& event) {
  begin_timed();
  opening_.clear();
  for (std::uint32_t i = 0; i < event.count; ++i) note(script_.notes()[event.first + i], event.first + i);
  std::erase_if(open_, [&](const OpenTie& tie) { return tie.end < now_; });  // too late to be joined
  open_.insert(open_.end(), opening_.begin(), opening_.end());
  if (std::ssize(open_) > kOpenTies) open_.erase(open_.begin(), open_.end() - kOpenTies);
  now_ += event.duration;
}

void Player::note(const ScriptNote& written, std::uint32_t source) {
  const auto continues = [&](const OpenTie& tie) {
    const bool same_place = tie.pitch.diatonic() == written.pitch.diatonic();
    return tie.end == now_ && same_place && (!written.marked || tie.pitch == written.pitch);
  };
  const auto tie = std::find_if(open_.begin(), open_.end(), continues);
  std::size_t played = notes_.size();
  Pitch pitch = written.pitch;
  if (tie == open_.end()) {
    notes_.push_back(Note{now_, written.duration, pitch, false, true});
  } else {
    played = tie->played;
    pitch = tie->pitch;
    matched_[tie->source] = true;
    notes_[played].duration += written.duration;
    open_.erase(tie);
  }
  if (written.ties) opening_.push_back({played, source, now_ + written.duration, pitch});
}

void Player::bar() {
  now_ = std::max(now_, layers_end_);
  layers_end_ = 0;
  bar_start_ = now_;
  bar_due_ = true;
}

void Player::signs(const Signs& signs) {
  builder_.key_signature(now_, signs.signature);
  if (signs.key) builder_.key(now_, *signs.key);
  if (signs.time) builder_.time(now_, *signs.time);
  if (signs.clef) builder_.clef(now_, *signs.clef);
}

}  // namespace

Result<Voice> play(const Script& script, const PlayOptions& options, std::string name,
                   const std::function<void(const ScriptNote&)>& dangling) {
  if (script.overflowed()) {
    return fail("too-many-notes", "more than " + std::to_string(limits::kNotesPerVoice) + " notes in one voice");
  }
  auto order = playing_order(script, options);
  if (!order) return fail(std::move(order.error()));
  Player player(script, std::move(name));
  auto voice = player.run(*order);
  if (!voice) return voice;
  for (std::size_t i = 0; i < script.notes().size(); ++i) {
    if (!player.tie_kept(i)) dangling(script.notes()[i]);
  }
  return voice;
}

}  // namespace rondo::abc

#include <algorithm>
#include <bit>
#include <numeric>

#include "melody/limits.h"
#include "melody/packed.h"
#include "melody/packed_layout.h"
#include "melody/varint.h"

namespace rondo {
namespace {

using namespace packed;

/// A shape with its duration as a fraction, so that it is reduced once and not for every note.
struct KnownShape {
  Shape shape;
  Fraction duration;
};

/// Turns ticks into fractions. Computing common divisors would take half the time of unpacking; for powers of two, by
/// far the most common case, a shift suffices.
class Ticks {
 public:
  Ticks() = default;
  explicit Ticks(std::int64_t per_whole)
      : twos_(std::countr_zero(static_cast<std::uint64_t>(per_whole))), odd_(per_whole >> twos_) {}

  [[nodiscard]] Fraction fraction(std::int64_t tick) const {
    if (tick == 0) return {};
    const int shift = std::min(twos_, std::countr_zero(static_cast<std::uint64_t>(tick)));
    const std::int64_t common = odd_ == 1 ? 1 : std::gcd(tick, odd_);
    if (common == 1) return Fraction::in_lowest_terms(tick >> shift, odd_ << (twos_ - shift));
    return Fraction::in_lowest_terms((tick >> shift) / common, (odd_ / common) << (twos_ - shift));
  }

 private:
  int twos_ = 0;
  std::int64_t odd_ = 1;
};

class Unpacker {
 public:
  Unpacker(std::string_view bytes, Voice& voice) : in_(bytes), voice_(voice) {}

  /// false: damaged.
  [[nodiscard]] bool run() {
    const unsigned flags = in_.byte();
    const unsigned signatures = in_.byte();
    if ((flags & ~kKnownFlags) != 0) return false;
    voice_.name = (flags & kHasName) != 0 ? in_.text(limits::kRecordBytes) : std::string_view();
    if ((flags & kFractions) == 0) {
      const std::uint64_t ticks = in_.number();
      if (ticks == 0 || ticks > static_cast<std::uint64_t>(limits::kDenominator)) return false;
      in_fractions_ = false;
      ticks_ = Ticks(static_cast<std::int64_t>(ticks));
      last_tick_ = static_cast<std::int64_t>(ticks) * limits::kWholes;
    }
    changes(voice_.clefs, signatures & 3U);
    changes(voice_.key_signatures, signatures >> 2 & 3U);
    changes(voice_.keys, signatures >> 4 & 3U);
    changes(voice_.times, signatures >> 6 & 3U);
    voice_.bars.clear();
    if ((flags & kHasBars) != 0) bars();
    notes();
    if ((flags & kHasLength) != 0) voice_.length = time(0);
    return !in_.broken() && in_.left() == 0;
  }

 private:
  /// The tick `distance` after `since`, or a broken input.
  std::int64_t tick(std::int64_t since, std::uint64_t distance) {
    if (distance <= static_cast<std::uint64_t>(last_tick_ - since)) return since + static_cast<std::int64_t>(distance);
    in_.reject();
    return since;
  }

  Fraction fraction() {
    const std::uint64_t num = in_.number();
    const std::uint64_t den = in_.number();
    constexpr auto kMost = static_cast<std::uint64_t>(INT64_MAX);
    if (num <= kMost && den <= kMost) {
      const Fraction time(static_cast<std::int64_t>(num), static_cast<std::int64_t>(den));
      if (limits::time_ok(time)) return time;
    }
    in_.reject();
    return {};
  }

  /// Reads a time. With ticks, `since` is the previous tick on entry and the new tick on return.
  Fraction time_after(std::int64_t& since) {
    if (in_fractions_) return fraction();
    since = tick(since, in_.number());
    return ticks_.fraction(since);
  }
  Fraction time(std::int64_t since) { return time_after(since); }

  template <typename T>
  void changes(std::vector<Change<T>>& list, unsigned kind) {
    if (kind > kManySignatures) return in_.reject();
    // Not cleared first: texts in the list keep their memory.
    list.resize(kind == kManySignatures ? in_.count(kMaxChanges) : kind);
    if (kind == kOneSignature) {
      list.front().onset = Fraction();
      return value(list.front().value);
    }
    std::int64_t tick = 0;
    for (std::size_t i = 0; i < list.size() && !in_.broken(); ++i) {
      list[i].onset = time_after(tick);
      if (i > 0 && list[i].onset <= list[i - 1].onset) in_.reject();
      value(list[i].value);
    }
  }

  void value(Clef& clef) {
    const unsigned byte = in_.byte();
    const unsigned shape = byte & 7U;
    const unsigned line = byte >> 3 & 7U;
    const unsigned kind = byte >> 6;
    if ((shape >= kClefShapes.size() && shape != kOther) || kind > static_cast<unsigned>(Clef::Kind::neume)) {
      return in_.reject();
    }
    clef.shape = shape == kOther ? static_cast<char>(in_.byte()) : kClefShapes[shape];
    clef.line = static_cast<std::int8_t>(line == kOther ? in_.byte() : line);
    clef.kind = static_cast<Clef::Kind>(kind);
  }

  void value(KeySignature& key) {
    const unsigned byte = in_.byte();
    if (byte < kOtherSignature) {
      key = KeySignature::from_fifths(static_cast<int>(byte) - 7);
    } else if (byte == kOtherSignature) {
      for (std::int8_t& alter : key.alter) alter = static_cast<std::int8_t>(in_.byte());
    } else {
      in_.reject();
    }
  }

  void value(Key& key) {
    const unsigned byte = in_.byte();
    if ((byte & 7U) > 6 || byte >> 3 >= kModes) return in_.reject();
    key.step = static_cast<std::int8_t>(byte & 7U);
    key.mode = static_cast<Mode>(byte >> 3);
    key.alter = static_cast<std::int8_t>(in_.byte());
  }

  void value(TimeSignature& time) {
    const unsigned byte = in_.byte();
    const unsigned unit = byte >> 4 & 7U;
    std::uint64_t beats = byte & 15U;
    std::uint64_t parts = 1U << unit;
    if (unit == kOther) {
      beats = in_.number();
      parts = in_.number();
      if (beats > UINT16_MAX || parts > UINT16_MAX) return in_.reject();
    }
    time.beats = static_cast<std::uint16_t>(beats);
    time.unit = static_cast<std::uint16_t>(parts);
    time.symbol = (byte & 0x80U) != 0 ? in_.text(limits::kRecordBytes) : std::string_view();
  }

  void bars() {
    const std::uint64_t count = in_.number();
    if (count == 0 || count > limits::kBarsPerVoice) return in_.reject();
    std::int64_t at = 0;
    voice_.bars.push_back(time_after(at));
    while (voice_.bars.size() < count && !in_.broken()) {
      if (in_fractions_) {
        const Fraction bar = fraction();
        if (bar <= voice_.bars.back()) in_.reject();
        voice_.bars.push_back(bar);
        continue;
      }
      const std::uint64_t distance = in_.number();
      const std::uint64_t times = in_.number();
      if (distance == 0 || times == 0 || times > count - voice_.bars.size()) return in_.reject();
      for (std::uint64_t i = 0; i < times && !in_.broken(); ++i) {
        at = tick(at, distance);
        voice_.bars.push_back(ticks_.fraction(at));
      }
    }
  }

  void notes() {
    voice_.notes.resize(in_.count(limits::kNotesPerVoice));
    voice_.length = Fraction();
    if (in_fractions_) return notes_in_fractions();
    PitchContext context(voice_);
    Ring<KnownShape> shapes;
    std::int64_t onset = 0;
    std::int64_t end = 0;
    std::int64_t last_end = 0;
    for (Note& note : voice_.notes) {
      const unsigned byte = in_.byte();
      const unsigned index = byte & 15U;
      if (index != kEscape && index >= shapes.size()) return in_.reject();
      const KnownShape& known = index == kEscape ? shapes.add(new_shape()) : shapes[index];
      const Shape& shape = known.shape;
      // Neither sum overflows: all four are within twice the last tick, which is 10^15.
      const std::int64_t next = end + shape.gap;
      note.grace = (shape.flags & kGrace) != 0;
      if (next < onset || next > last_tick_ - (note.grace ? 0 : shape.duration)) return in_.reject();
      onset = next;
      note.spelled = (shape.flags & kSpelled) != 0;
      note.onset = ticks_.fraction(onset);
      note.duration = known.duration;
      end = note.grace ? onset : onset + shape.duration;
      last_end = std::max(last_end, end);
      if (!pitch(note.pitch, byte >> 4, context)) return in_.reject();
    }
    voice_.length = ticks_.fraction(last_end);
  }

  KnownShape new_shape() {
    const std::int64_t gap = unzigzag(in_.number());
    const std::uint64_t rest = in_.number();
    const std::uint64_t duration = rest >> 2;
    if (gap < -last_tick_ || gap > last_tick_ || duration > static_cast<std::uint64_t>(last_tick_)) {
      in_.reject();
      return {};
    }
    const auto ticks = static_cast<std::int64_t>(duration);
    return {{gap, ticks, static_cast<unsigned>(rest & 3U)}, ticks_.fraction(ticks)};
  }

  void notes_in_fractions() {
    PitchContext context(voice_);
    Fraction before;
    for (Note& note : voice_.notes) {
      const unsigned byte = in_.byte();
      if ((byte & 15U) != kEscape) return in_.reject();
      note.onset = fraction();
      const unsigned flags = in_.byte();
      note.duration = fraction();
      note.grace = (flags & kGrace) != 0;
      note.spelled = (flags & kSpelled) != 0;
      if (note.onset < before || flags > (kGrace | kSpelled) || !limits::time_ok(note.end())) return in_.reject();
      before = note.onset;
      voice_.length = std::max(voice_.length, note.end());
      if (!pitch(note.pitch, byte >> 4, context)) return in_.reject();
    }
  }

  [[nodiscard]] bool pitch(Pitch& pitch, unsigned code, PitchContext& context) {
    std::int64_t position = context.position() + static_cast<int>(code) - kShortSteps;
    unsigned byte = 0;
    int alter = 0;
    if (code == kEscape) {
      byte = in_.byte();
      alter =
          (byte & 7U) == kOther ? static_cast<std::int8_t>(in_.byte()) : static_cast<int>(byte & 7U) - Pitch::kMaxAlter;
      position = byte >> 3 == kFarAway ? unzigzag(in_.number())
                                       : context.position() + static_cast<int>(byte >> 3) - kLongSteps;
    }
    // A range wider than that of playable pitches, but safe from overflow below.
    if (position < -100 || position > 200) return false;
    const int octave = static_cast<int>(position + 7 * 16) / 7 - 16;
    const int step = static_cast<int>(position) - 7 * octave;
    if (code != kEscape) alter = context.alter(step);
    pitch = Pitch{static_cast<std::int8_t>(step), static_cast<std::int8_t>(alter), static_cast<std::int8_t>(octave)};
    context.heard(pitch);
    return pitch.playable();
  }

  ByteReader in_;
  Voice& voice_;
  bool in_fractions_ = true;
  Ticks ticks_;
  std::int64_t last_tick_ = 0;
};

}  // namespace

Result<void> unpack(std::string_view bytes, Voice& voice) {
  if (bytes.empty()) return fail("packed-damaged", "a stored voice is empty", {}, "import the piece again");
  if (static_cast<std::uint8_t>(bytes.front()) != kPackedVersion) {
    return fail("packed-version",
                "a stored voice has layout " + std::to_string(static_cast<std::uint8_t>(bytes.front())) +
                    ", this program knows " + std::to_string(kPackedVersion),
                {}, "use a newer Rondo, or import the piece again");
  }
  if (!Unpacker(bytes.substr(1), voice).run()) {
    return fail("packed-damaged", "the notes of a stored voice are damaged", {}, "import the piece again");
  }
  return {};
}

}  // namespace rondo

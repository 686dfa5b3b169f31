// The field MEL: degrees of the major scale over the tonic, "_" doubles the smallest note, two blanks are a bar line.

#include "formats/esac/melody.h"

#include <algorithm>

#include "formats/xml_util.h"
#include "rondo/melody/builder.h"

namespace rondo::esac {
namespace {

constexpr int kMostDoublings = 20;
constexpr int kMostOctaves = 9;

class MelodyParser {
 public:
  MelodyParser(const Field& field, const KeyField& key, Remarks& remarks)
      : field_(field), text_(field.text), key_(key), remarks_(remarks), line_(field.line), column_(field.column) {}

  Result<Voice> parse() {
    while (at_ < text_.size() && !ended_ && !builder_.failed()) step();
    if (triplet_) remark("esac-open-triplet", "a triplet that no bracket closes ends with the melody");
    builder_.lasts_until(now_);
    add_metres();
    add_key();
    return builder_.finish();
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == ' ' || c == '\t' || c == '\n') return space();
    if (c == '(' || c == ')') {
      if (triplet_ == (c == '(')) remark("esac-bracket", "a bracket of a triplet that has no partner");
      triplet_ = c == '(';
      return advance();
    }
    if (c == '/') {
      ended_ = text_.substr(at_, 2) == "//";
      if (!ended_) remark("esac-unknown-sign", "a single / is passed over; the melody ends with //");
      return advance();
    }
    const std::string_view signs = "+-01234567^~xX";
    if (signs.find(c) != std::string_view::npos) return element();
    remark("esac-unknown-sign", "a sign that has no meaning is passed over");
    advance();
  }

  /// Two blanks are a bar line. One blank, or the end of a line (a phrase), is a bar line if the measure is full.
  void space() {
    std::size_t blanks = 0;
    bool line = false;
    for (; at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'); advance()) {
      if (text_[at_] == '\n') line = true;
      ++blanks;
    }
    if (now_.is_zero() || now_ == bar_begin_) return;
    const Fraction length = now_ - bar_begin_;
    const auto full = [&](const TimeSignature& metre) { return metre.bar() == length && !length.is_zero(); };
    const bool whole = std::any_of(key_.metres.begin(), key_.metres.end(), full);
    bar_pending_ = bar_pending_ || whole || (blanks >= 2 && !line);
  }

  /// Called only when something follows: the end of the melody begins no measure.
  void begin_bar() {
    if (!bar_pending_) return;
    bar_pending_ = false;
    if (measures_.empty()) builder_.bar(0);
    measures_.push_back({bar_begin_, now_});
    bar_begin_ = now_;
    builder_.bar(now_);
  }

  void element() {
    const std::uint32_t column = column_;
    int octave = 0;
    for (; at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-'); advance()) {
      octave += text_[at_] == '+' ? 1 : -1;
    }
    if (at_ == text_.size() || std::string_view("01234567^~xX").find(text_[at_]) == std::string_view::npos) {
      remark("esac-unknown-sign", "a sign of an octave without a note is passed over");
      return;
    }
    const char what = text_[at_];
    begin_bar();
    advance();
    int alter = 0;
    int doublings = 0;
    int dots = 0;
    for (; at_ < text_.size(); advance()) {
      if (text_[at_] == '#') {
        ++alter;
      } else if (text_[at_] == 'b') {
        --alter;
      } else if (text_[at_] == '_') {
        doublings = std::min(doublings + 1, kMostDoublings + 1);
      } else if (text_[at_] == '.') {
        ++dots;
      } else {
        break;
      }
    }
    if (doublings > kMostDoublings) {
      remark("esac-too-long", "a note of more than 20 doublings is cut to that", column);
      doublings = kMostDoublings;
    }
    Fraction duration = xml::dotted(Fraction(std::int64_t{1} << doublings, key_.unit), dots);
    if (triplet_) duration *= Fraction(2, 3);
    sound(what, octave, alter, duration, column);
    now_ += duration;
    builder_.lasts_until(now_);
  }

  void sound(char what, int octave, int alter, Fraction duration, std::uint32_t column) {
    if (what == '^' || what == '~') {
      if (last_) {
        builder_.note(now_, duration, *last_, true);
      } else if (!rests_) {
        remark("esac-tie-from-nothing", "a tie with no note before it is read as a rest", column);
      }
      return;
    }
    last_.reset();
    rests_ = what == '0';
    if (what == 'x' || what == 'X') {
      remark("esac-no-pitch", "x, a note of no certain pitch, is read as a rest", column);
      rests_ = true;
    }
    if (rests_) return;
    const int degree = what - '0';
    if (octave >= -kMostOctaves && octave <= kMostOctaves && alter >= -kMostOctaves && alter <= kMostOctaves) {
      last_ = degree_pitch(key_.tonic, degree, octave, alter);
    }
    if (!last_) {
      remark("esac-bad-pitch", "a pitch that cannot sound is read as a rest", column);
      rests_ = true;
      return;
    }
    thirds_ += degree == 3 ? (alter < 0 ? -1 : 1) : 0;
    sixths_ += degree == 6 ? (alter < 0 ? -1 : 1) : 0;
    builder_.note(now_, duration, *last_);
  }

  /// With several metres, the length of the measure determines which applies.
  void add_metres() {
    const bool measured =
        std::any_of(key_.metres.begin(), key_.metres.end(), [](const auto& m) { return m.beats != 0; });
    if (measures_.empty() && measured) builder_.bar(0);
    if (key_.metres.empty()) return;
    if (bar_begin_ < now_) measures_.push_back({bar_begin_, now_});
    const TimeSignature* current = nullptr;
    for (const Measure& measure : measures_) {
      const TimeSignature* fits = current;
      for (const TimeSignature& metre : key_.metres) {
        if (current != nullptr && current->bar() == measure.end - measure.begin) break;
        if (metre.bar() != measure.end - measure.begin) continue;
        fits = &metre;
        break;
      }
      if (fits == nullptr) fits = key_.metres.data();
      if (fits != current) builder_.time(measure.begin, *fits);
      current = fits;
    }
    if (measures_.empty()) builder_.time(0, key_.metres.front());
  }

  /// EsAC gives only the tonic; the mode is derived from the thirds of the melody.
  void add_key() {
    const bool minor = thirds_ < 0 || (thirds_ == 0 && sixths_ < 0);
    const Key key{key_.tonic.step, key_.tonic.alter, minor ? Mode::minor : Mode::major};
    builder_.key_signature(0, key.signature());
    builder_.key(0, key);
  }

  void advance() {
    if (text_[at_] == '\n') {
      ++line_;
      column_ = 0;
    }
    ++column_;
    ++at_;
  }

  void remark(std::string_view code, std::string message, std::uint32_t column = 0) {
    remarks_.add(code, std::move(message), {{}, {}, field_.name, line_, column == 0 ? column_ : column});
  }

  struct Measure {
    Fraction begin;
    Fraction end;
  };

  const Field& field_;
  std::string_view text_;
  const KeyField& key_;
  Remarks& remarks_;
  VoiceBuilder builder_;
  std::vector<Measure> measures_;
  std::size_t at_ = 0;
  std::uint32_t line_;
  std::uint32_t column_;
  Fraction now_;
  Fraction bar_begin_;
  std::optional<Pitch> last_;  ///< the note that a tie would continue
  bool rests_ = false;
  bool bar_pending_ = false;
  bool triplet_ = false;
  bool ended_ = false;
  int thirds_ = 0;  ///< number of major minus minor ones
  int sixths_ = 0;
};

}  // namespace

Result<Voice> parse_melody(const Field& field, const KeyField& key, Remarks& remarks) {
  return MelodyParser(field, key, remarks).parse();
}

}  // namespace rondo::esac

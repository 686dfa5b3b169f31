#include "formats/kern/score.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/utf8.h"
#include "formats/kern/spines.h"
#include "formats/kern/tandem.h"
#include "formats/kern/token.h"
#include "formats/legacy_text.h"
#include "melody/limits.h"

namespace rondo::kern {
namespace {

/// State of a voice while its spine is read, not part of the result.
struct VoiceState {
  Transposition transposition;
  bool transposed_notes = false;  ///< notes have been read since the last *Tr
};

class ScoreReader {
 public:
  ScoreReader(bool marks_guesses, Remarks& remarks) : marks_guesses_(marks_guesses), remarks_(remarks) {
    score_.stretches.emplace_back();
  }

  [[nodiscard]] Result<Score> read(std::string_view record, std::size_t first_line) {
    line_ = static_cast<std::uint32_t>(first_line);
    for (; !record.empty() && !failed_; ++line_) {
      const std::size_t end = std::min(record.find('\n'), record.size());
      std::string_view text = record.substr(0, end);
      record.remove_prefix(std::min(end + 1, record.size()));
      while (text.ends_with('\r') || text.ends_with(' ')) text.remove_suffix(1);
      if (!text.empty() && text.front() != '!') line(text);
    }
    if (!failed_ && score_.voices.empty()) {
      error("kern-no-kern-spine", "there is no **kern spine in it" + other_kinds(), "only notes in **kern are read");
    }
    if (failed_) {
      error_.place = remarks_.place(error_.place);
      return fail(std::move(error_));
    }
    finish_stretches();
    return std::move(score_);
  }

 private:
  // ---- lines

  void line(std::string_view text) {
    tokens_.clear();
    // Two tabs in a row are treated as one: no token is empty.
    while (!text.empty()) {
      const std::size_t tab = std::min(text.find('\t'), text.size());
      if (tab != 0) tokens_.push_back(text.substr(0, tab));
      text.remove_prefix(std::min(tab + 1, text.size()));
    }
    if (tokens_.empty()) return;
    const bool exclusive = std::any_of(tokens_.begin(), tokens_.end(), [](auto t) { return t.starts_with("**"); });
    if (exclusive) {
      exclusive_line();
      return;
    }
    if (tokens_.size() != spines_.strands().size()) {
      remark("kern-spine-count", "the line has " + std::to_string(tokens_.size()) + " tokens for " +
                                     std::to_string(spines_.strands().size()) + " spines");
    }
    switch (tokens_.front().front()) {
      case '*': interpretation_line(); break;
      case '=': bar_line(); break;
      default: data_line(); break;
    }
  }

  /// "**kern **text": gives the kinds of new spines; "*" for spines that already have one.
  void exclusive_line() {
    auto& strands = spines_.strands();
    const Fraction now = this->now();
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (i >= strands.size()) {
        if (strands.size() >= Spines::kMost) {
          error("kern-too-many-spines", "more than " + std::to_string(Spines::kMost) + " spines side by side");
          return;
        }
        spines_.add(now).waits_for_kind = true;
      }
      Strand& strand = strands[i];
      if (!tokens_[i].starts_with("**") || !strand.waits_for_kind) continue;
      strand.waits_for_kind = false;
      if (tokens_[i] == "**kern") {
        if (!new_voice(strand)) return;
      } else if (kinds_.size() < kMostKinds) {
        kinds_.insert(to_utf8_line(utf8_prefix(tokens_[i], 40)));
      }
    }
  }

  /// ", only **mens (mensural notation) and ...": the kinds of the spines, for the error.
  [[nodiscard]] std::string other_kinds() const {
    std::string out;
    for (const std::string& kind : kinds_) {
      out += out.empty() ? ", only " : " and ";
      out += kind;
      if (kind == "**mens") out += " (mensural notation)";
      if (kind == "**fret" || kind == "**tab" || kind == "**lute") out += " (tablature)";
    }
    return out;
  }

  bool new_voice(Strand& strand) {
    if (score_.voices.size() >= limits::kVoicesPerPiece) {
      error("too-many-voices", "more than " + std::to_string(limits::kVoicesPerPiece) + " voices");
      return false;
    }
    strand.voice = static_cast<std::int32_t>(score_.voices.size());
    score_.voices.emplace_back();
    states_.emplace_back();
    return true;
  }

  void interpretation_line() {
    const auto& strands = spines_.strands();
    section_tokens();
    const Fraction now = this->now();
    for (std::size_t i = 0; i < tokens_.size() && i < strands.size(); ++i) {
      if (strands[i].voice != Strand::kNoVoice && tokens_[i].size() > 1) {
        tandem(static_cast<std::size_t>(strands[i].voice), tokens_[i], now);
      }
    }
    if (std::none_of(tokens_.begin(), tokens_.end(), Spines::is_path_token)) return;
    auto done = spines_.apply(tokens_, now);
    if (!done) {
      error(done.error().code, done.error().message);
    } else if (!done->empty()) {
      remark("kern-spine-path", std::string(*done));
    }
  }

  void bar_line() {
    const Fraction time = now();
    auto& strands = spines_.strands();
    for (std::size_t i = 0; i < strands.size(); ++i) {
      Strand& strand = strands[i];
      if (strand.voice == Strand::kNoVoice || strand.at >= time) continue;
      if (strand.used) {
        remark("kern-rhythm-mismatch",
               "the bar is " + (time - strand.at).to_string() + " whole notes short in spine " + std::to_string(i + 1));
      }
      strand.at = time;
    }
    repeat_line(tokens_.front(), time);
  }

  /// "=4", "=:|!", "=!|:", "==:|!|:": a colon before strokes ends a repeat, one after them begins one.
  void repeat_line(std::string_view token, Fraction time) {
    const auto is_stroke = [&](std::size_t i) { return i < token.size() && (token[i] == '|' || token[i] == '!'); };
    bool starts = false;
    for (std::size_t i = 1; i < token.size(); ++i) {
      if (token[i] != ':') continue;
      if (is_stroke(i + 1)) score_.stretches.back().repeat.ends = 2;
      starts = starts || is_stroke(i - 1);
    }
    new_stretch(time);
    Stretch& stretch = score_.stretches.back();
    stretch.repeat.starts = starts;
    stretch.after_bar = !token.starts_with("==");
    stretch.bar_number = stretch.after_bar && token.size() > 1 && token[1] >= '0' && token[1] <= '9';
  }

  // ---- sections

  /// *>A begins section A; *>[A,A,B] is the order of playing. Lists with a name (*>norep[A,B]) are alternatives.
  void section_tokens() {
    const auto found = std::find_if(tokens_.begin(), tokens_.end(), [](auto t) { return t.starts_with("*>"); });
    if (found == tokens_.end()) return;
    const std::string_view text = found->substr(2);
    const std::size_t bracket = text.find('[');
    if (bracket == std::string_view::npos) {
      new_stretch(now());
      score_.stretches.back().label = text;
    } else if (bracket == 0 && score_.expansion.empty()) {
      expansion(text);
    }
  }

  void expansion(std::string_view list) {
    std::string label;
    for (const char c : list) {
      if (c != ',' && c != '[' && c != ']') {
        label += c;
      } else if (!label.empty()) {
        score_.expansion.push_back(std::move(label));
        label.clear();
      }
    }
  }

  void new_stretch(Fraction time) {
    if (score_.stretches.size() >= limits::kBarsPerVoice) {
      error("too-many-bars", "more than " + std::to_string(limits::kBarsPerVoice) + " bars");
      return;
    }
    Stretch next;
    next.start = std::max(time, score_.stretches.back().start);
    score_.stretches.push_back(std::move(next));
  }

  [[nodiscard]] std::uint32_t stretch() const { return static_cast<std::uint32_t>(score_.stretches.size() - 1); }

  void finish_stretches() {
    auto& stretches = score_.stretches;
    for (std::size_t i = 0; i + 1 < stretches.size(); ++i)
      stretches[i].length = stretches[i + 1].start - stretches[i].start;
    stretches.back().length = std::max(end_, stretches.back().start) - stretches.back().start;
  }

  // ---- interpretations

  template <typename T>
  void state(std::vector<Statement<T>>& list, Fraction now, T value) {
    if (!list.empty() && list.back().onset == now && list.back().stretch == stretch()) {
      list.back().value = std::move(value);
    } else {
      list.push_back({stretch(), now, std::move(value)});
    }
  }

  void tandem(std::size_t index, std::string_view token, Fraction now) {
    WrittenVoice& voice = score_.voices[index];
    if (const auto clef = parse_clef(token)) {
      state(voice.clefs, now, *clef);
    } else if (const auto signature = parse_key_signature(token)) {
      state(voice.key_signatures, now, *signature);
    } else if (const auto key = parse_key(token)) {
      state(voice.keys, now, *key);
    } else if (auto time = parse_time(token)) {
      set_time(voice, now, std::move(*time), false);
    } else if (auto sign = parse_mensuration(token)) {
      set_time(voice, now, std::move(*sign), true);
    } else if (token.starts_with("*I\"")) {
      if (voice.name.empty()) voice.name = to_utf8_line(token.substr(3));
    } else if (token.starts_with("*MM")) {
      if (score_.tempo.empty()) score_.tempo = to_utf8_line(token.substr(3));
    } else if (token.starts_with("*Tr")) {
      transpose(states_[index], token);
    }
  }

  /// Numbers (*M4/4) and sign (*met(c)) of one time belong together, in either order.
  void set_time(WrittenVoice& voice, Fraction now, TimeSignature time, bool is_sign) {
    const auto& times = voice.times;
    const bool same_moment = !times.empty() && times.back().onset == now && times.back().stretch == stretch();
    if (same_moment && is_sign) {
      const std::string symbol = time.symbol;
      time = times.back().value;
      time.symbol = symbol;
    } else if (same_moment && time.symbol.empty()) {
      time.symbol = times.back().value.symbol;
    }
    state(voice.times, now, std::move(time));
  }

  /// Several *Tr before the notes add up; one after notes replaces them.
  void transpose(VoiceState& voice, std::string_view token) {
    const auto found = parse_transposition(token);
    if (!found) {
      remark("kern-transposition-ignored", "a transposition that cannot be undone: " + to_utf8_line(token));
      return;
    }
    if (voice.transposed_notes) voice.transposition = {};
    voice.transposed_notes = false;
    voice.transposition.diatonic += found->diatonic;
    voice.transposition.chromatic += found->chromatic;
  }

  // ---- data

  /// The next time: the earliest end of a sounding note. Spines that lag behind are ignored.
  [[nodiscard]] Fraction now() const {
    Fraction next = Fraction::invalid();
    for (const Strand& strand : spines_.strands()) {
      if (strand.voice == Strand::kNoVoice || strand.at <= line_time_) continue;
      if (!next.valid() || strand.at < next) next = strand.at;
    }
    return next.valid() ? next : line_time_;
  }

  struct Cell {
    std::size_t strand = 0;
    std::vector<Token> notes;
    bool timed = false;  ///< has more than grace notes
  };

  void data_line() {
    parse_cells();
    times_.clear();
    for (const Cell& cell : cells_) {
      if (cell.timed) times_.push_back(spines_.strands()[cell.strand].at);
    }
    if (!times_.empty()) line_time_ = agreed_time();
    for (const Cell& cell : cells_) {
      if (failed_) return;
      place(cell);
    }
  }

  void parse_cells() {
    const auto& strands = spines_.strands();
    cells_.clear();
    for (std::size_t i = 0; i < tokens_.size() && i < strands.size(); ++i) {
      if (strands[i].voice == Strand::kNoVoice || tokens_[i] == ".") continue;
      Cell cell;
      cell.strand = i;
      std::string_view rest = tokens_[i];
      while (!rest.empty()) {
        const std::size_t blank = std::min(rest.find(' '), rest.size());
        const Token note = parse_token(rest.substr(0, blank));
        if (!note.empty() && !note.leftover.empty()) {
          remark("kern-token-leftover",
                 "'" + to_utf8_line(utf8_prefix(note.leftover, 40)) + "' at the end of '" +
                     to_utf8_line(utf8_prefix(rest.substr(0, blank), 40)) +
                     "' is not read: a note has one duration and one pitch, notes of a chord are separated by spaces",
                 i);
        }
        if (!note.empty()) {
          cell.timed = cell.timed || !note.grace;
          cell.notes.push_back(note);
        } else if (blank != 0 && rest.substr(0, blank) != ".") {
          remark("kern-bad-token", "neither a note nor a rest: " + to_utf8_line(utf8_prefix(rest.substr(0, blank), 40)),
                 i);
        }
        rest.remove_prefix(std::min(blank + 1, rest.size()));
      }
      if (!cell.notes.empty()) cells_.push_back(std::move(cell));
    }
  }

  /// The time of the line. All spines that continue here should have reached the same time; if not, the majority
  /// decides, in a draw the later time.
  Fraction agreed_time() {
    std::sort(times_.begin(), times_.end());
    Fraction best = times_.back();
    if (times_.front() != best) {
      std::size_t most = 0;
      for (auto it = times_.begin(); it != times_.end();) {
        const auto end = std::upper_bound(it, times_.end(), *it);
        if (static_cast<std::size_t>(end - it) >= most) {
          most = static_cast<std::size_t>(end - it);
          best = *it;
        }
        it = end;
      }
      remark("kern-rhythm-mismatch", "the spines disagree by " + (times_.back() - times_.front()).to_string() +
                                         " whole notes on when this line is");
    }
    return std::max({best, line_time_, score_.stretches.back().start});
  }

  void place(const Cell& cell) {
    Strand& strand = spines_.strands()[cell.strand];
    WrittenVoice& voice = score_.voices[static_cast<std::size_t>(strand.voice)];
    VoiceState& state = states_[static_cast<std::size_t>(strand.voice)];
    const Fraction grace_time = std::max(strand.at, score_.stretches.back().start);
    std::optional<Fraction> chord;  // duration of the first timed note: it advances the spine
    for (const Token& token : cell.notes) {
      WrittenNote note;
      note.stretch = stretch();
      note.strand = strand.id;
      note.line = line_;
      note.grace = token.grace;
      note.onset = token.grace ? grace_time : line_time_;
      note.duration =
          token.grace ? token.duration.value_or(Fraction(0)) : duration_of(token, chord, strand, cell.strand);
      if (!token.grace && !chord) chord = note.duration;
      note.rest = !token.pitch;
      note.spelled = !(marks_guesses_ && token.guessed);
      note.tied_before = token.tied_before;
      note.tied_after = token.tied_after;
      if (token.pitch) {
        state.transposed_notes = true;
        note.pitch = undo(state.transposition, *token.pitch);
        if (!note.pitch.playable()) {
          remark("kern-pitch-out-of-range", "a note beyond what any instrument plays is read as a rest", cell.strand);
          note.rest = true;
        }
      }
      if (!(note.rest && note.grace)) voice.notes.push_back(note);
    }
    if (!chord) return;
    strand.used = true;
    strand.last_duration = *chord;
    strand.at = line_time_ + *chord;
    end_ = std::max(end_, strand.at);
    if (!limits::time_ok(strand.at)) {
      error("time-out-of-range",
            "a time of " + strand.at.to_string() + " whole notes is beyond what a melody can hold");
    }
  }

  Fraction duration_of(const Token& token, const std::optional<Fraction>& chord, const Strand& strand,
                       std::size_t column) {
    if (token.duration) return *token.duration;
    if (chord) return *chord;
    remark("kern-no-duration", "a note without a readable duration; the last duration is used", column);
    return strand.last_duration;
  }

  // ---- messages

  /// The column is where the spine's token begins.
  void remark(std::string_view code, std::string message, std::optional<std::size_t> spine = {}) {
    Place where;
    where.line = line_;
    if (spine) where.column = static_cast<std::uint32_t>(column_of(*spine));
    remarks_.add(code, std::move(message), where);
  }

  [[nodiscard]] std::size_t column_of(std::size_t spine) const {
    return spine < tokens_.size() ? static_cast<std::size_t>(tokens_[spine].data() - tokens_.front().data()) + 1 : 0;
  }

  void error(std::string code, std::string message, std::string hint = {}) {
    if (failed_) return;
    failed_ = true;
    error_ = Error{std::move(code), std::move(message), {}, std::move(hint)};
    error_.place.line = line_;
  }

  bool marks_guesses_;
  Remarks& remarks_;
  static constexpr std::size_t kMostKinds = 8;
  std::set<std::string> kinds_;  ///< of spines that are not read
  Score score_;
  Spines spines_;
  std::vector<VoiceState> states_;
  std::uint32_t line_ = 0;
  Fraction line_time_;
  Fraction end_;
  bool failed_ = false;
  Error error_;
  std::vector<std::string_view> tokens_;
  std::vector<Cell> cells_;
  std::vector<Fraction> times_;
};

}  // namespace

Result<Score> read_score(std::string_view record, std::size_t first_line, bool marks_guesses, Remarks& remarks) {
  return ScoreReader(marks_guesses, remarks).read(record, first_line);
}

}  // namespace rondo::kern

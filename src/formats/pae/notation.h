#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/pae.h"
#include "formats/pae/remarks.h"
#include "formats/pae/score.h"
#include "formats/pae/text.h"
#include "rondo/base/result.h"

namespace rondo::pae {

/// Reads the signs of a notation, of both versions, into a Score. Every sign has a handler, found by table; the state
/// below is what signs set for later ones. Reusable, keeps its memory.
class Notation {
 public:
  /// `score` may hold the header's clef, key and time already; the notation is appended.
  [[nodiscard]] Result<void> read(const NotationText& text, PaeVersion version, bool liberal, Score& score,
                                  Remarks& remarks);

  /// Number of notes, rests and measure rests read; a text without any is not music.
  [[nodiscard]] std::size_t items() const { return s_.items; }
  [[nodiscard]] std::size_t ornaments() const { return s_.ornaments; }

 private:
  using Handler = void (Notation::*)();
  [[nodiscard]] static constexpr std::array<Handler, 256> make_handlers();
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

  /// Two indices of events: a chord, a measure.
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
    [[nodiscard]] bool empty() const { return begin == end; }
  };
  /// An open parenthesis: a tuplet, or a fermata around one note.
  struct Group {
    std::size_t first_event = 0;
    std::size_t position = 0;
    Fraction total;  ///< the value before the parenthesis; invalid: none
    std::size_t items = 0;
    bool value_inside = false;
  };
  enum class Grace : std::uint8_t { none, acciaccatura, appoggiatura };

  // notation.cpp: the frame
  void start(const NotationText& text, PaeVersion version, bool liberal, Score& score, Remarks& remarks);
  void finish();
  void warn(std::string_view code, std::string message, std::size_t position, std::string_view hint = {});
  void stop(std::string_view code, std::string message, std::size_t position, std::string_view hint = {});
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return s_.at + ahead < text_.size() ? text_[s_.at + ahead] : '\0';
  }
  void expect_version(PaeVersion version, std::string_view what);
  Event& add(EventKind kind);
  void on_unknown();
  void on_space();
  void read_lost_ties();
  void on_validity();

  // notes.cpp: pitch, duration, chords, ties, ornaments
  void on_octave();
  void on_duration();
  void on_accidental();
  void on_name();
  void on_rest();
  void on_dot();
  void on_trill();
  void on_fermata();
  void on_ligature();
  void on_tie();
  void on_tied_note();
  void on_chord();
  void on_chord_end();
  void on_acciaccatura();
  void on_appoggiatura();
  void on_grace_group();
  void on_grace_group_end();
  void close_grace_group(std::string_view why);
  [[nodiscard]] Fraction next_value();
  [[nodiscard]] Fraction grace_value();
  void begin_chord();
  void resolve_pitch(Event& event, unsigned step, bool member);
  [[nodiscard]] const Event* tie_partner(const Event& event);
  [[nodiscard]] const Event* space_partner(const Event& event) const;
  [[nodiscard]] bool ends_with_note() const;
  void count_item();
  void drop_pending();

  // groups.cpp: beams, tuplets, bars, shortcuts, changes
  void on_beam();
  void on_beam_end();
  void step_over_end();
  void on_group();
  void on_group_end();
  void on_group_number();
  void close_group(bool numbered, unsigned number);
  void scale_group(const Group& group, Fraction scale);
  void on_bar();
  void on_measure_rest();
  void on_repeat_bar();
  void on_figure();
  void on_clef_change();
  void on_key_change();
  void on_time_change();
  void end_change(std::size_t extent);
  void reset_accidentals() { s_.alter = s_.key.alter; }

  const NotationText* source_ = nullptr;
  std::string_view text_;
  Score* score_ = nullptr;
  Remarks* remarks_ = nullptr;
  PaeVersion version_ = PaeVersion::v1;
  bool liberal_ = false;
  Error error_;
  std::vector<Fraction> pattern_;  ///< values in a row, used in turn
  std::vector<Group> groups_;

  /// State that is reset for each notation.
  struct State {         // NOLINT(clang-analyzer-optin.performance.Padding)
    std::size_t at = 0;  ///< the sign being read
    std::size_t header_events = 0;
    std::size_t items = 0;
    std::size_t ornaments = 0;
    std::size_t unknown = 0;
    std::size_t note_end = kNowhere;    ///< just after the last note or rest and its marks
    std::size_t tie_place = kNowhere;   ///< after the parentheses and beams that end directly after it
    std::size_t change_end = kNowhere;  ///< just after the last change of clef, key or time
    bool mixed_reported = false;
    bool stopped = false;

    // sticky values
    int octave = 4;
    std::size_t pattern_step = 0;
    std::size_t value_end = kNowhere;  ///< just after the last value; adjacent values form a pattern
    bool value_stated = false;         ///< a value stands since the last note
    std::array<std::int8_t, 7> alter{};
    KeySignature key;
    Fraction measure;  ///< length of a measure by the time signature; 0: unknown
    bool mensural = false;

    // marks that wait for their note
    bool accidental_pending = false;
    std::int8_t accidental = 0;
    std::size_t accidental_at = 0;
    Grace grace = Grace::none;
    std::size_t grace_at = 0;
    bool grace_group = false;
    std::size_t grace_group_at = 0;
    bool joins = false;       ///< a version 1 chord sign
    bool in_chord = false;    ///< between ^ and > of version 2
    bool chord_open = false;  ///< ... and a note of it has been read

    // context for ties and dots
    Range chord;               ///< the last chord or note, without ornaments; empty after a rest
    bool tie_pending = false;  ///< a tie sign follows it
    Range tie_from;            ///< the chord before it where that is tied to it
    bool tie_all = false;      ///< ... with all its notes, not only those marked one by one
    std::uint64_t tie_claimed = 0;
    bool tie_missed = false;  ///< ... and no note of its pitch has come yet
    std::size_t tie_at = 0;
    Range timed;  ///< the last chord, note or rest
    int late_dots = 0;

    // groups and measures
    int beams = 0;
    int outer_beams = 0;  ///< beams open around a group of ornaments
    std::size_t measure_begin = 0;
    Range last_measure;
    bool bar_seen = false;

    // !...!ff
    std::size_t figure_begin = kNowhere;
    std::size_t figure_end = kNowhere;
    std::size_t figure_left = 0;
    std::size_t work = 0;

    // spaces that may be lost ties
    std::size_t spaces = 0;
    std::size_t first_space = 0;
    bool space_pending = false;
    std::size_t lost_ties = 0;
  };
  State s_;
};

}  // namespace rondo::pae

#pragma once

#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "formats/abc/play.h"
#include "formats/abc/report.h"
#include "formats/abc/script.h"
#include "formats/abc/symbols.h"

namespace rondo::abc {

/// Reads the music of a tune into voices. Order of calls: fields of the header (`header_field`), `begin`, lines of
/// music and fields in any order, `finish`.
class Body {
 public:
  explicit Body(Report& report) : report_(report) {}

  /// K: M: L: V: U: I: P: in the header; false for any other letter.
  bool header_field(char letter, std::string_view text, std::uint32_t line);
  void begin();
  /// Fields of the body, on separate lines or in brackets; false for a letter that is not allowed there.
  bool field(char letter, std::string_view text, std::uint32_t line, std::uint32_t column);
  void music(std::string_view text, std::uint32_t line);
  /// A directive: %%name value or I:name value.
  void directive(std::string_view text);
  /// Y: of the header, which is in no standard: some collections use it for the order of the parts, and P: for labels
  /// only, in the header too.
  void order_of_parts(std::string_view text) { order_of_parts_ = text; }

  /// The voices that have music, with repeats expanded.
  [[nodiscard]] Result<std::vector<Voice>> finish(bool expand_repeats);

 private:
  struct VoiceState {
    std::string id;
    StaffSettings own;       ///< settings of V:; override K: of the header
    StaffSettings settings;  ///< in force
    Signs signs;             ///< as written
    Fraction unit;
    Accidentals accidentals;
    Transposition transposition{0, {}};
    int octave = 0;
    Script script;
    TupletSign tuplet;
    Fraction broken = 1;  ///< factor of < or > for the next note
    bool broken_waits = false;
  };
  struct Symbol {
    std::string_view starts;
    void (Body::*read)(Cursor&);
  };
  static const Symbol kSymbols[];

  // body_fields.cpp
  VoiceState* find_voice(std::string_view id);
  VoiceState& add_voice(std::string_view id);
  void begin_voice(VoiceState& voice);
  void begin_music();
  VoiceState& voice();
  /// The target of a field of the body: before any music the defaults of all voices, later the current voice.
  VoiceState& target();
  void header_voice(std::string_view text, std::uint32_t line);
  void define_voice(VoiceState& voice, std::string_view settings, std::uint32_t line, std::uint32_t column);
  void select_voice(std::string_view text, std::uint32_t line, std::uint32_t column);
  void set_key(VoiceState& voice, const KeyField& key);
  void set_unit(std::string_view text, Oddities& odd);
  void apply_settings(VoiceState& voice, const StaffSettings& settings);
  void write_signs(VoiceState& voice);
  void define_symbol(std::string_view text);
  [[nodiscard]] PlayOptions play_options(bool expand_repeats, std::uint32_t line);

  // body_symbols.cpp
  void symbol(Cursor& in);
  void read_space(Cursor& in);
  void read_text(Cursor& in);
  void read_decoration(Cursor& in);
  void read_plus(Cursor& in);
  void read_graces(Cursor& in);
  void read_paren(Cursor& in);
  void read_bracket(Cursor& in);
  void read_inline_field(Cursor& in);
  void read_bar(Cursor& in);
  void read_dot(Cursor& in);
  void read_note(Cursor& in);
  void read_chord(Cursor& in, char end);
  void read_rest(Cursor& in);
  void read_measures(Cursor& in);
  void read_tie(Cursor& in);
  void read_broken(Cursor& in);
  void read_overlay(Cursor& in);
  void read_stray_length(Cursor& in);
  void read_other(Cursor& in);

  [[nodiscard]] std::optional<ScriptNote> make_note(const NoteName& name, Fraction duration, std::uint32_t column);
  void read_chord_member(Cursor& in, std::vector<ScriptNote>& chord, Fraction& advance);
  [[nodiscard]] Fraction length(Cursor& in, Fraction times = 1);
  /// The duration factor of the next note, chord or rest from tuplet and broken rhythm; counts it.
  [[nodiscard]] Fraction next_ratio();
  void warn(std::string code, std::string message, std::uint32_t column, std::string hint = {}) {
    report_.warn(std::move(code), std::move(message), line_, column, std::move(hint));
  }

  Report& report_;
  std::deque<VoiceState> voices_;
  VoiceState defaults_;  ///< initial state of a voice
  VoiceState* current_ = nullptr;
  std::optional<Fraction> written_unit_;
  std::set<char> user_symbols_;
  std::set<std::int64_t> unnamed_keys_;  ///< ordinals of K: fields that give a signature only, see voice_writer.h
  std::int64_t key_fields_ = 0;
  std::string parts_;
  std::string order_of_parts_;
  char part_ = '\0';
  std::uint32_t line_ = 0;
  bool begun_ = false;  ///< music or a V: of the body has been read
  bool too_many_voices_ = false;
};

}  // namespace rondo::abc

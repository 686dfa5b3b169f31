#pragma once

#include <map>
#include <string>
#include <vector>

#include "formats/musicxml/attributes.h"
#include "formats/musicxml/note.h"
#include "formats/score.h"

namespace rondo::musicxml {

/// Reads one part into the score: a line for each of its voices, and the repeats of its bar lines.
class PartReader {
 public:
  PartReader(ScoreInMeasures& score, xml::Remarks& remarks) : score_(score), remarks_(remarks) {}

  /// `measures`: the part's measures in their order.
  void read(const std::vector<pugi::xml_node>& measures, const std::string& name);

 private:
  struct Event {
    ScoreNote note;
    int staff = 1;
    bool chord = false;
    bool rest = false;
  };
  struct VoiceEvents {
    std::string number;
    std::vector<Event> events;
    bool sounds = false;
  };
  struct StaffChange {
    int staff = 0;  ///< 0: all
    ScoreChange change;
  };

  void read_measure(pugi::xml_node measure);
  void read_element(pugi::xml_node element);
  void read_note(pugi::xml_node note);
  void read_attributes(pugi::xml_node attributes);
  void read_barline(pugi::xml_node barline);
  void read_ending(pugi::xml_node ending);
  void read_sound(pugi::xml_node sound);
  void move(pugi::xml_node element, int direction);

  [[nodiscard]] Fraction duration_of(pugi::xml_node node, const NoteElement& note);
  [[nodiscard]] Fraction in_wholes(Fraction divisions) const { return divisions / (Fraction(4) * divisions_); }
  [[nodiscard]] Transposition transposition(int staff) const;
  void put_key(int staff, const WrittenKey& key);
  void put(int staff, decltype(ScoreChange::value) value);
  void advance(Fraction to);
  void close_ending(std::uint32_t last);
  VoiceEvents& voice(const std::string& number);

  [[nodiscard]] static bool shares_time_across_staves(const VoiceEvents& voice);
  void add_lines(const std::string& name);
  void add_line(const VoiceEvents& voice, int only_staff, std::string name);

  ScoreInMeasures& score_;
  xml::Remarks& remarks_;
  std::uint32_t measure_ = 0;
  Fraction position_;
  Fraction onset_;  ///< of the note before, which a chord note shares
  Fraction reached_;
  Fraction divisions_ = 1;
  Fraction bar_ = 1;  ///< length of a bar by the time signature
  std::map<int, Transposition> transpositions_;
  std::map<int, WrittenKey> keys_;
  std::vector<VoiceEvents> voices_;
  std::vector<StaffChange> changes_;
  std::uint32_t ending_ = 0;  ///< passes of the ending that is open, 0 when none is
  std::uint32_t ending_from_ = 0;
};

}  // namespace rondo::musicxml

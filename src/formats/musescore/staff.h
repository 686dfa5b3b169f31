#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "formats/musescore/chord.h"
#include "formats/musescore/header.h"
#include "formats/score.h"

namespace rondo::musescore {

/// Jumps and their targets by label; the meaning of marks is known only when all jumps have been read.
struct Labels {
  struct Jump {
    std::uint32_t measure = 0;
    std::string to;
    std::string until;
    std::string then;
  };
  struct Marker {
    std::uint32_t measure = 0;
    std::string label;
  };
  std::vector<Jump> jumps;
  std::vector<Marker> markers;

  /// Puts them into the measures.
  void apply(std::vector<ScoreMeasure>& measures) const;
};

/// Reads one staff into the score: a line for each voice that has notes.
class StaffReader {
 public:
  StaffReader(ScoreInMeasures& score, Labels& labels, const StaffInfo& info, xml::Remarks& remarks)
      : score_(score), labels_(labels), info_(info), remarks_(remarks) {}

  void read(pugi::xml_node staff);

 private:
  static constexpr std::size_t kVoices = 4;
  struct OpenEnding {
    std::uint32_t from = 0;
    std::uint32_t passes = 0;
  };
  struct EndingSpan {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t passes = 0;
  };
  struct Octaves {
    std::uint32_t from = 0;
    Fraction from_at;
    std::uint32_t to = UINT32_MAX;
    Fraction to_at;
    int count = 0;
  };
  struct OpenOctaves {
    std::string id;  ///< version 2; else empty
    std::size_t index = 0;
  };

  void read_measure(pugi::xml_node measure);
  void read_element(pugi::xml_node element);
  void read_chord(pugi::xml_node element);
  void read_tuplet(pugi::xml_node tuplet);
  void read_key(pugi::xml_node key);
  void read_time(pugi::xml_node time);
  void read_clef(pugi::xml_node clef);
  void read_spanner(pugi::xml_node spanner);
  void read_jump(pugi::xml_node jump);
  void begin_octaves(pugi::xml_node ottava, std::string id);
  void end_octaves(std::string_view id);
  void end_ending(std::string_view id);
  void mark_ending(std::uint32_t first, std::uint32_t last, std::uint32_t passes);
  void move_to(Fraction to, pugi::xml_node where);
  void put(decltype(ScoreChange::value) value);
  [[nodiscard]] Fraction tuplet_ratio(const std::string& id) const;
  void shift_octaves();
  void add_lines();

  ScoreInMeasures& score_;
  Labels& labels_;
  const StaffInfo& info_;
  xml::Remarks& remarks_;
  std::uint32_t measure_ = 0;
  std::size_t voice_ = 0;
  bool in_voice_ = false;  ///< within <voice>, which version 2 does not have
  Fraction onset_of_measure_;
  Fraction position_;
  Fraction reached_;
  Fraction bar_ = 1;
  Fraction stretch_ = 1;  ///< for a metre of this staff only
  std::vector<Fraction> tuplets_;
  std::map<std::string, Fraction, std::less<>> named_tuplets_;
  std::set<std::string, std::less<>> open_ties_;
  std::map<std::string, OpenEnding, std::less<>> open_endings_;
  std::vector<EndingSpan> endings_to_mark_;  ///< their measures may not have been read yet
  std::size_t marked_ = 0;
  std::vector<Octaves> octaves_;
  std::vector<OpenOctaves> open_octaves_;
  std::array<std::vector<ScoreNote>, kVoices> notes_;
  std::vector<ScoreNote> behind_;  ///< grace notes that follow the next chord, the last one first
  std::vector<ScoreChange> changes_;
};

}  // namespace rondo::musescore

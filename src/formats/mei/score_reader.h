#pragma once

#include "formats/mei/layer.h"

namespace rondo::mei {

/// Reads one <score>, or one <part>: its definitions, then its sections measure by measure.
class ScoreReader {
 public:
  ScoreReader(const Ids& ids, xml::Remarks& remarks) : context_{ids, remarks, {}, {}, {}} {}

  [[nodiscard]] Result<std::vector<Voice>> read(pugi::xml_node score, bool expand_repeats);

 private:
  /// A section or ending, or a stretch of measures that an expansion can name.
  struct Stretch {
    std::string_view id;
    std::uint32_t from = 0;
    std::uint32_t until = 0;
    std::string_view plist;  ///< of its expansion, the order of its parts
  };

  // side.cpp: control events that refer to notes by ids
  void read_side(pugi::xml_node score);
  void read_tie(pugi::xml_node tie);
  void read_tuplet_span(pugi::xml_node span);

  // definitions.cpp
  void define_score(pugi::xml_node score_def);
  void define_group(pugi::xml_node group, const std::string& label);
  void define_staff(pugi::xml_node staff_def, const std::string& label);
  void define_values(Staff& staff, pugi::xml_node def, bool for_all);
  Staff& staff(std::string_view n);

  // score_reader.cpp
  void read_stretch(pugi::xml_node node, std::uint32_t endings, int depth);
  void read_child(pugi::xml_node child, std::uint32_t endings, int depth, pugi::xml_node& loose);
  void read_measure(pugi::xml_node measure, std::uint32_t endings);
  void read_loose_staves(pugi::xml_node first, std::uint32_t endings);
  void begin_measure(std::uint32_t endings);
  void read_staff(pugi::xml_node staff_node, std::vector<LayerReader>& readers);
  /// `free_length`: the measure need not be as long as its metre says.
  void end_measure(std::vector<LayerReader>& readers, bool free_length);
  void read_bar_lines(pugi::xml_node measure);
  void read_repeat_mark(pugi::xml_node mark);
  [[nodiscard]] std::uint32_t measure() const { return static_cast<std::uint32_t>(score_.measures.size()) - 1; }

  // expansion.cpp
  [[nodiscard]] bool play_stretch(const Stretch& stretch, int depth);
  [[nodiscard]] const Stretch* ordered_stretch_at(std::uint32_t measure, const Stretch& around);
  [[nodiscard]] bool play_listed(std::string_view plist, int depth);
  [[nodiscard]] Result<void> set_order();

  void take_lines();

  Context context_;
  ScoreInMeasures score_;
  std::deque<Staff> staves_;  ///< a deque: readers keep pointers while more are added
  Staff common_;              ///< definitions of scoreDef, for staves that come later
  std::vector<Stretch> stretches_;
  std::unordered_map<std::string_view, std::size_t> stretch_by_id_;
  std::unordered_multimap<std::uint32_t, std::size_t> ordered_by_start_;
  std::uint32_t ending_number_ = 0;  ///< of endings that have none
  bool coda_seen_ = false;
  bool starts_next_ = false;  ///< the last bar line opens a repeat
};

}  // namespace rondo::mei

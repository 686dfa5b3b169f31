#include "formats/mei/score_reader.h"

#include <algorithm>

#include "melody/limits.h"

namespace rondo::mei {

Result<std::vector<Voice>> ScoreReader::read(pugi::xml_node score, bool expand_repeats) {
  read_side(score);
  read_stretch(score, 0, 0);
  if (context_.spent > context_.budget) {
    return fail("mei-too-large",
                "copies make more than " + std::to_string(context_.budget) + " elements of this score");
  }
  (void)score_.may_add(context_.changes > kChanges ? context_.changes : 0);
  if (expand_repeats) {
    if (auto set = set_order(); !set) return fail(std::move(set.error()));
  }
  take_lines();
  return write_out(std::move(score_), expand_repeats);
}

void ScoreReader::read_stretch(pugi::xml_node node, std::uint32_t endings, int depth) {
  if (depth > limits::kNesting || !context_.spend()) return;
  const std::size_t index = stretches_.size();
  stretches_.push_back({id_of(node), static_cast<std::uint32_t>(score_.measures.size()), 0, {}});
  const Element element = resolved(node, context_.ids);
  pugi::xml_node loose;  // staves outside of any measure, from the first on
  each_child(element.content(), [&](pugi::xml_node child) {
    if (xml::name_of(child) == "expansion") {
      if (stretches_[index].plist.empty()) stretches_[index].plist = xml::attribute(child, "plist");
    } else {
      read_child(child, endings, depth, loose);
    }
  });
  if (loose) read_loose_staves(loose, endings);
  stretches_[index].until = static_cast<std::uint32_t>(score_.measures.size());
}

void ScoreReader::read_child(pugi::xml_node child, std::uint32_t endings, int depth, pugi::xml_node& loose) {
  const std::string_view name = xml::name_of(child);
  if (name == "staff") {
    if (!loose) loose = child;
    return;
  }
  if (loose) {
    read_loose_staves(loose, endings);
    loose = {};
  }
  if (name == "measure") {
    read_measure(child, endings);
  } else if (name == "section") {
    read_stretch(child, endings, depth + 1);
  } else if (name == "ending") {
    std::uint32_t passes = xml::ending_passes(xml::attribute(child, "n"));
    if (passes == 0) passes = xml::ending_passes(xml::attribute(child, "label"));
    if (passes == 0) passes = 1U << std::min(ending_number_, 31U);
    ++ending_number_;
    read_stretch(child, passes, depth + 1);
    return;
  } else if (name == "scoreDef") {
    define_score(child);
  } else if (name == "staffDef") {
    define_staff(child, {});
  } else if (name == "staffGrp") {
    define_group(child, {});
  }
  if (name == "measure" || name == "section") ending_number_ = 0;
}

void ScoreReader::begin_measure(std::uint32_t endings) {
  ScoreMeasure added;
  added.repeat.endings = endings;
  added.repeat.starts = starts_next_;
  starts_next_ = false;
  score_.measures.push_back(std::move(added));
  for (Staff& known : staves_) {
    known.earlier_accidentals = std::move(known.accidentals);
    known.accidentals.clear();
  }
}

void ScoreReader::read_measure(pugi::xml_node node, std::uint32_t endings) {
  if (!context_.spend() || score_.measures.size() > limits::kBarsPerVoice) return;
  begin_measure(endings);
  const Element element = resolved(node, context_.ids);
  std::vector<LayerReader> readers;
  // All staves must exist before readers keep pointers to them.
  each_child(element.content(), [&](pugi::xml_node child) {
    if (xml::name_of(child) == "staff") (void)staff(xml::attribute(child, "n"));
  });
  each_child(element.content(), [&](pugi::xml_node child) {
    if (xml::name_of(child) == "staff") read_staff(child, readers);
    if (xml::name_of(child) == "repeatMark") read_repeat_mark(child);
  });
  const bool upbeat = xml::attribute(node, "metcon") == "false" || xml::attribute(node, "type") == "upbeat";
  end_measure(readers, upbeat);
  read_bar_lines(node);
}

/// Music without measures (chant, mensural): a sequence of staves is read as one measure.
void ScoreReader::read_loose_staves(pugi::xml_node first, std::uint32_t endings) {
  if (!context_.spend() || score_.measures.size() > limits::kBarsPerVoice) return;
  context_.remarks.add("mei-unmeasured", first, "staves outside of measures are read as one measure");
  begin_measure(endings);
  std::vector<LayerReader> readers;
  for (pugi::xml_node node = first; node && xml::name_of(node) == "staff"; node = node.next_sibling()) {
    (void)staff(xml::attribute(node, "n"));
  }
  for (pugi::xml_node node = first; node && xml::name_of(node) == "staff"; node = node.next_sibling()) {
    read_staff(node, readers);
  }
  end_measure(readers, true);
}

void ScoreReader::read_staff(pugi::xml_node staff_node, std::vector<LayerReader>& readers) {
  Staff& target = staff(xml::attribute(staff_node, "n"));
  const Element element = resolved(staff_node, context_.ids);
  // All lines must exist before readers keep pointers to them.
  std::vector<std::pair<pugi::xml_node, std::string>> layers;
  each_child(element.content(), [&](pugi::xml_node child) {
    if (xml::name_of(child) != "layer" || !context_.spend()) return;
    std::string n(xml::attribute(child, "n"));
    if (n.empty()) n = std::to_string(layers.size() + 1);
    // Our own writer needs more than one layer for a voice whose notes overlap.
    if (has_token(xml::attribute(child, "type"), "same-voice") && !target.lines.empty()) n = target.lines.front().layer;
    (void)target.line(n);
    layers.emplace_back(child, std::move(n));
  });
  for (const auto& [layer, n] : layers) {
    readers.emplace_back(context_, target, target.line(n), measure(), score_);
    readers.back().read(layer);
  }
}

void ScoreReader::end_measure(std::vector<LayerReader>& readers, bool free_length) {
  ScoreMeasure& ended = score_.measures.back();
  const Fraction bar = staves_.empty() ? Fraction(0) : staves_.front().bar;
  int rest_measures = 1;
  bool gaps = false;
  for (const LayerReader& reader : readers) {
    ended.length = std::max(ended.length, reader.filled());
    rest_measures = std::max(rest_measures, reader.rest_measures());
    gaps = gaps || reader.has_gaps();
  }
  if (gaps && !free_length) ended.length = std::max(ended.length, bar);
  if (ended.length.is_zero()) {
    ended.length = bar * Fraction(rest_measures);
    if (rest_measures > 1) ended.bar_every = bar;
  }
  for (LayerReader& reader : readers) reader.stretch(ended.length);
}

void ScoreReader::read_bar_lines(pugi::xml_node node) {
  const std::string_view left = xml::attribute(node, "left");
  const std::string_view right = xml::attribute(node, "right");
  RepeatMark& mark = score_.measures.back().repeat;
  if (left == "rptstart" || left == "rptboth") mark.starts = true;
  if ((left == "rptend" || left == "rptboth") && score_.measures.size() > 1) {
    score_.measures[score_.measures.size() - 2].repeat.ends = 2;
  }
  if (right == "rptend" || right == "rptboth") mark.ends = 2;
  starts_next_ = right == "rptstart" || right == "rptboth";
}

/// MEI 5's da capo and related marks. Of two codas, the first is the jump, the second its target.
void ScoreReader::read_repeat_mark(pugi::xml_node node) {
  const std::string_view func = xml::attribute(node, "func");
  JumpMarks& jumps = score_.measures.back().jumps;
  if (func == "segno") jumps.segno = "segno";
  if (func == "dalSegno") jumps.dal_segno = "segno";
  if (func == "daCapo") jumps.da_capo = true;
  if (func == "fine") jumps.fine = true;
  if (func == "coda") {
    (coda_seen_ ? jumps.coda : jumps.to_coda) = "coda";
    coda_seen_ = true;
  }
}

/// A staff gives a voice for each layer that has notes; a staff without notes gives one silent voice.
void ScoreReader::take_lines() {
  for (Staff& done : staves_) {
    const auto silent = [](const Line& line) { return line.score.notes.empty(); };
    std::erase_if(done.lines, silent);
    if (done.lines.empty()) done.lines.emplace_back();
    for (Line& line : done.lines) {
      line.score.name = done.name;
      if (done.lines.size() > 1) line.score.name += (done.name.empty() ? "voice " : ", voice ") + line.layer;
      if (!score_.may_add(done.changes.size())) return;
      line.score.changes = done.changes;
      // A change after the last measure changes nothing.
      std::erase_if(line.score.changes, [&](const ScoreChange& c) { return c.measure >= score_.measures.size(); });
      score_.lines.push_back(std::move(line.score));
      if (score_.lines.size() > limits::kVoicesPerPiece) return;  // write_out says so
    }
  }
}

}  // namespace rondo::mei

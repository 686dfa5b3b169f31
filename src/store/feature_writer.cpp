#include "store/feature_writer.h"

namespace rondo {

void append_motives_json(std::string& to, const Features& features) {
  to += '{';
  const std::span<const std::int16_t> intervals(features.diatonic);
  for (const Motive& motive : features.motives) {
    if (to.back() != '{') to += ',';
    to += '"';
    for (const std::int16_t interval : intervals.subspan(motive.first, motive.length)) {
      if (to.back() != '"') to += ' ';
      to += std::to_string(interval);
    }
    (to += "\":") += std::to_string(motive.count);
  }
  to += '}';
}

Result<void> FeatureWriter::write(std::int64_t voice, std::int64_t piece, const Features& f) {
  const auto number = [](auto value) { return static_cast<std::int64_t>(value); };
  auto done = database_.run(
      "INSERT INTO feature (voice, piece, notes, range, range_steps, max_interval, max_interval_steps, duration_ratio,"
      " lowest, highest, unisons, seconds, thirds, fourths, fifths, sixths, sevenths, octaves, larger)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)",
      voice, piece, number(f.notes), number(f.range), number(f.range_steps), number(f.max_interval),
      number(f.max_interval_steps), f.duration_ratio, number(f.lowest), number(f.highest), number(f.sizes[0]),
      number(f.sizes[1]), number(f.sizes[2]), number(f.sizes[3]), number(f.sizes[4]), number(f.sizes[5]),
      number(f.sizes[6]), number(f.sizes[7]), number(f.sizes[8]));
  if (!done) return done;
  diatonic_.clear();
  chromatic_.clear();
  motives_.clear();
  append_interval_text(diatonic_, f.diatonic);
  append_interval_text(chromatic_, f.chromatic);
  append_motives_json(motives_, f);
  return database_.run(
      "INSERT INTO feature_text (voice, contour, rhythm, diatonic, chromatic, motives) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
      voice, f.contour, f.rhythm, diatonic_, chromatic_, motives_);
}

Result<bool> FeatureWriter::matches(std::int64_t voice, std::int64_t piece, const Features& f) {
  std::string diatonic;
  std::string chromatic;
  std::string motives;
  append_interval_text(diatonic, f.diatonic);
  append_interval_text(chromatic, f.chromatic);
  append_motives_json(motives, f);
  const auto number = [](auto value) { return static_cast<std::int64_t>(value); };
  auto found = database_.query(
      "SELECT count(*) FROM feature n JOIN feature_text t ON t.voice = n.voice WHERE n.voice = ?1 AND piece = ?2"
      " AND notes = ?3 AND range = ?4 AND range_steps = ?5 AND max_interval = ?6 AND max_interval_steps = ?7"
      " AND duration_ratio = ?8 AND lowest = ?9 AND highest = ?10 AND unisons = ?11 AND seconds = ?12 AND thirds = ?13"
      " AND fourths = ?14 AND fifths = ?15 AND sixths = ?16 AND sevenths = ?17 AND octaves = ?18 AND larger = ?19"
      " AND contour = ?20 AND rhythm = ?21 AND diatonic = ?22 AND chromatic = ?23 AND motives = ?24",
      voice, piece, number(f.notes), number(f.range), number(f.range_steps), number(f.max_interval),
      number(f.max_interval_steps), f.duration_ratio, number(f.lowest), number(f.highest), number(f.sizes[0]),
      number(f.sizes[1]), number(f.sizes[2]), number(f.sizes[3]), number(f.sizes[4]), number(f.sizes[5]),
      number(f.sizes[6]), number(f.sizes[7]), number(f.sizes[8]), f.contour, f.rhythm, diatonic, chromatic, motives);
  if (!found) return fail(std::move(found.error()));
  const ResetLater later(**found);
  auto row = (*found)->step();
  if (!row) return fail(std::move(row.error()));
  return *row && (*found)->integer(0) == 1;
}

}  // namespace rondo

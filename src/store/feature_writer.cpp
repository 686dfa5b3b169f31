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

}  // namespace rondo

#include "rondo/melody/voice.h"

namespace rondo {

void Voice::clear() {
  name.clear();
  notes.clear();
  length = Fraction();
  bars.clear();
  clefs.clear();
  key_signatures.clear();
  keys.clear();
  times.clear();
}

std::vector<Note> top_line(const Voice& voice, bool with_graces) {
  std::vector<Note> line;
  line.reserve(voice.notes.size());
  for (const Note& note : voice.notes) {
    if (note.grace) {
      if (with_graces) line.push_back(note);
      continue;
    }
    const bool taken = !line.empty() && !line.back().grace && line.back().onset == note.onset;
    if (!taken) line.push_back(note);
  }
  return line;
}

bool is_monophonic(const Voice& voice) {
  Fraction busy_until;
  for (const Note& note : voice.notes) {
    if (note.grace) continue;
    if (note.onset < busy_until) return false;
    busy_until = note.end();
  }
  return true;
}

}  // namespace rondo

#include "melody/find_melody.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace rondo {
namespace {

struct NamedRole {
  std::string_view word;
  int rank;  ///< 3: melody, 2: sung or solo, 1: an upper voice, -1: accompaniment
};
constexpr std::array kRoles = {
    NamedRole{"melody", 3},      NamedRole{"melodie", 3},     NamedRole{"melodia", 3},
    NamedRole{"mélodie", 3},     NamedRole{"melodía", 3},     NamedRole{"melodi", 3},
    NamedRole{"lead", 3},        NamedRole{"tune", 3},        NamedRole{"theme", 3},
    NamedRole{"thema", 3},       NamedRole{"vocal", 2},       NamedRole{"vocals", 2},
    NamedRole{"voice", 2},       NamedRole{"vox", 2},         NamedRole{"voix", 2},
    NamedRole{"voce", 2},        NamedRole{"canto", 2},       NamedRole{"chant", 2},
    NamedRole{"gesang", 2},      NamedRole{"singstimme", 2},  NamedRole{"singer", 2},
    NamedRole{"solo", 2},        NamedRole{"soprano", 1},     NamedRole{"sopran", 1},
    NamedRole{"superius", 1},    NamedRole{"cantus", 1},      NamedRole{"discantus", 1},
    NamedRole{"diskant", 1},     NamedRole{"treble", 1},      NamedRole{"bass", -1},
    NamedRole{"basso", -1},      NamedRole{"drum", -1},       NamedRole{"drums", -1},
    NamedRole{"percussion", -1}, NamedRole{"chord", -1},      NamedRole{"chords", -1},
    NamedRole{"akkorde", -1},    NamedRole{"pad", -1},        NamedRole{"accompaniment", -1},
    NamedRole{"accomp", -1},     NamedRole{"begleitung", -1}, NamedRole{"backing", -1},
    NamedRole{"harmony", -1},    NamedRole{"timpani", -1},
};

std::vector<std::string> words_of_name(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
    const bool digit = c >= '0' && c <= '9';
    if (!letter && !digit) {
      if (!words.back().empty()) words.emplace_back();
      continue;
    }
    const bool after_digit = !words.back().empty() && words.back().back() >= '0' && words.back().back() <= '9';
    if (!words.back().empty() && after_digit != digit) words.emplace_back();
    words.back() += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  }
  return words;
}

/// The rank that a name gives to its voice; 0: none.
int rank_of_name(std::string_view name) {
  const std::vector<std::string> words = words_of_name(name);
  int best = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const NamedRole& role : kRoles) {
      if (role.word != words[i]) continue;
      if (role.rank < 0) return role.rank;
      // Layers of a staff have names like "Piano, voice 2".
      const bool numbered = i + 1 < words.size() && !words[i + 1].empty() && words[i + 1][0] <= '9';
      if (role.word == "voice" && numbered) continue;
      best = std::max(best, role.rank);
    }
  }
  return best;
}

/// Statistics of a voice relative to the others.
struct VoiceFigures {
  double sounding = 0;    ///< time with a note of it
  double on_top = 0;      ///< of that, with the highest note of all
  double note_time = 0;   ///< sum of the durations of its notes
  double pitch_time = 0;  ///< each times its MIDI number
  std::size_t notes = 0;
  std::size_t in_chords = 0;  ///< notes that begin while another of the voice sounds or begins
  double leaps = 0;           ///< sum of the intervals of its top line, in semitones
  std::size_t steps = 0;
  std::size_t repeated = 0;
};

void measure_line(const Voice& voice, VoiceFigures& figures) {
  Fraction busy_until;
  const Note* before = nullptr;
  Fraction onset = Fraction::invalid();
  for (const Note& note : voice.notes) {
    if (note.grace || note.duration.is_zero()) continue;
    ++figures.notes;
    const bool joins = onset.valid() && note.onset == onset;
    if (joins || note.onset < busy_until) ++figures.in_chords;
    const Fraction from = std::max(busy_until, note.onset);
    if (note.end() > from) figures.sounding += (note.end() - from).to_double();
    busy_until = std::max(busy_until, note.end());
    if (joins) continue;  // the first of an onset is the highest
    onset = note.onset;
    if (before != nullptr) {
      const int interval = std::abs(note.pitch.midi() - before->pitch.midi());
      figures.leaps += interval;
      figures.repeated += interval == 0 ? 1 : 0;
      ++figures.steps;
    }
    before = &note;
  }
}

struct Edge {
  double time = 0;
  int midi = 0;
  std::size_t voice = 0;
  bool begins = false;
};

/// Sweeps over all onsets and ends in time order and assigns each interval between them to the voice on top.
void measure_skyline(std::span<const Voice> voices, std::vector<VoiceFigures>& figures) {
  std::vector<Edge> edges;
  for (std::size_t v = 0; v < voices.size(); ++v) {
    for (const Note& note : voices[v].notes) {
      if (note.grace || note.duration.is_zero()) continue;
      edges.push_back({note.onset.to_double(), note.pitch.midi(), v, true});
      edges.push_back({note.end().to_double(), note.pitch.midi(), v, false});
      figures[v].note_time += note.duration.to_double();
      figures[v].pitch_time += note.duration.to_double() * note.pitch.midi();
    }
  }
  std::sort(edges.begin(), edges.end(),
            [](const Edge& a, const Edge& b) { return a.time != b.time ? a.time < b.time : !a.begins && b.begins; });
  std::map<std::pair<int, std::size_t>, std::size_t> sounding;  // pitch and place of the voice
  double now = edges.empty() ? 0 : edges.front().time;
  for (const Edge& edge : edges) {
    const double passed = edge.time - now;
    if (passed > 0 && !sounding.empty()) {
      figures[voices.size() - sounding.rbegin()->first.second].on_top += passed;
    }
    now = edge.time;
    // In unison the first voice counts as the higher.
    const std::pair stored{edge.midi, voices.size() - edge.voice};
    if (edge.begins) {
      ++sounding[stored];
      continue;
    }
    if (auto found = sounding.find(stored); found != sounding.end() && --found->second == 0) sounding.erase(found);
  }
}

/// Higher for a voice that is more like a melody. The weights were chosen on chorales and on folk songs with rule-based
/// accompaniments.
double melody_score(const VoiceFigures& figures, double piece_time) {
  if (figures.notes == 0 || figures.sounding <= 0) return -1e9;
  const double on_top_of_all = figures.on_top / piece_time;
  const double on_top_itself = figures.on_top / figures.sounding;
  const double present = std::min(1.0, figures.sounding / piece_time / 0.4);
  const double chords = static_cast<double>(figures.in_chords) / static_cast<double>(figures.notes);
  const double step = figures.steps == 0 ? 12 : figures.leaps / static_cast<double>(figures.steps);
  const double repeated =
      figures.steps == 0 ? 1 : static_cast<double>(figures.repeated) / static_cast<double>(figures.steps);
  const double mean = figures.pitch_time / figures.note_time;
  return 1.5 * on_top_of_all + on_top_itself + 1.5 * present - 5.0 * chords - 0.15 * std::max(0.0, step - 2.5) -
         1.0 * std::max(0.0, repeated - 0.4) - 0.05 * std::max(0.0, 55 - mean);
}

std::size_t best_by_notes(std::span<const Voice> voices, const std::vector<std::size_t>& candidates) {
  std::vector<VoiceFigures> figures(voices.size());
  for (std::size_t v = 0; v < voices.size(); ++v) measure_line(voices[v], figures[v]);
  measure_skyline(voices, figures);
  double piece_time = 1e-9;
  for (const VoiceFigures& one : figures) piece_time = std::max(piece_time, one.sounding);
  std::size_t best = candidates.front();
  double most = -1e12;
  for (const std::size_t v : candidates) {
    const double score = melody_score(figures[v], piece_time);
    if (score <= most) continue;
    most = score;
    best = v;
  }
  return best;
}

}  // namespace

std::optional<MelodyChoice> find_melody(std::span<const Voice> voices) {
  std::vector<std::size_t> sounding;
  for (std::size_t v = 0; v < voices.size(); ++v) {
    const auto& notes = voices[v].notes;
    if (std::any_of(notes.begin(), notes.end(), [](const Note& note) { return !note.grace; })) sounding.push_back(v);
  }
  if (sounding.empty()) return std::nullopt;
  if (sounding.size() == 1) return MelodyChoice{sounding.front(), MelodyChoice::Reason::only};
  std::map<int, std::vector<std::size_t>, std::greater<>> by_rank;
  for (const std::size_t v : sounding) by_rank[rank_of_name(voices[v].name)].push_back(v);
  const auto& [rank, first] = *by_rank.begin();
  if (rank > 0 && first.size() == 1) return MelodyChoice{first.front(), MelodyChoice::Reason::name};
  return MelodyChoice{best_by_notes(voices, first), MelodyChoice::Reason::skyline};
}

Voice skyline(const Voice& voice) {
  constexpr int kFarBelow = 12;
  constexpr std::size_t kRemembered = 8;
  const Fraction silence(1);
  Voice out = voice;
  out.notes.clear();
  std::vector<int> recent;
  std::vector<Note> graces;
  std::optional<std::size_t> last;  // of out.notes
  Fraction onset = Fraction::invalid();
  for (const Note& note : voice.notes) {
    if (note.grace) {
      if (!graces.empty() && graces.front().onset != note.onset) graces.clear();
      graces.push_back(note);
      continue;
    }
    if (note.onset == onset) continue;  // a lower note of the chord
    onset = note.onset;
    const int midi = note.pitch.midi();
    if (last) {
      Note& held = out.notes[*last];
      const bool sounds = held.end() > note.onset;
      if (sounds && midi <= held.pitch.midi()) continue;
      std::vector<int> sorted = recent;
      std::sort(sorted.begin(), sorted.end());
      const bool far = !sorted.empty() && midi < sorted[sorted.size() / 2] - kFarBelow;
      if (far && note.onset - held.end() < silence) continue;
      if (sounds) held.duration = note.onset - held.onset;
    }
    for (const Note& grace : graces) {
      if (grace.onset == note.onset) out.notes.push_back(grace);
    }
    graces.clear();
    last = out.notes.size();
    out.notes.push_back(note);
    if (recent.size() == kRemembered) recent.erase(recent.begin());
    recent.push_back(midi);
  }
  for (const Note& grace : graces) {
    if (!last || grace.onset >= out.notes[*last].end()) out.notes.push_back(grace);
  }
  return out;
}

std::string reduce_to_melody(Piece& piece) {
  const auto choice = find_melody(piece.voices);
  if (!choice) return {};
  const std::size_t count = piece.voices.size();
  Voice chosen = std::move(piece.voices[choice->voice]);
  std::string said;
  if (count > 1) {
    said = "the melody is voice " + std::to_string(choice->voice + 1) + " of " + std::to_string(count);
    if (!chosen.name.empty()) said += ", \"" + chosen.name + "\"";
    said += choice->reason == MelodyChoice::Reason::name   ? ", by its name"
            : choice->reason == MelodyChoice::Reason::only ? ", the only one with notes"
                                                           : ", by its place above the others";
  }
  if (!is_monophonic(chosen)) {
    const std::size_t before = chosen.notes.size();
    chosen = skyline(chosen);
    said += said.empty() ? "" : "; ";
    said += "its highest notes were kept: " + std::to_string(before - chosen.notes.size()) + " of " +
            std::to_string(before) + " notes are left out";
  }
  piece.voices.clear();
  piece.voices.push_back(std::move(chosen));
  return said;
}

}  // namespace rondo

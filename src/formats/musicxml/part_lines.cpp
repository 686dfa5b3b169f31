// From what was read of a part to its lines.
#include <algorithm>
#include <set>

#include "formats/musicxml/part.h"

namespace rondo::musicxml {

/// A voice may move between the staves of a part and is then one line. But some programs number the voices of each
/// staff from 1: if two staves have notes at the same time, they are two lines.
bool PartReader::shares_time_across_staves(const VoiceEvents& voice) {
  std::vector<const Event*> order;
  for (const Event& event : voice.events) {
    if (!event.chord && !event.note.grace) order.push_back(&event);
  }
  std::stable_sort(order.begin(), order.end(), [](const Event* a, const Event* b) {
    return a->note.measure != b->note.measure ? a->note.measure < b->note.measure : a->note.at < b->note.at;
  });
  std::map<int, Fraction> busy_until;  // per staff, within the measure
  const Event* before = nullptr;
  for (const Event* event : order) {
    if (before == nullptr || before->note.measure != event->note.measure) busy_until.clear();
    std::erase_if(busy_until, [&](const auto& busy) { return busy.second <= event->note.at; });
    for (const auto& [staff, until] : busy_until) {
      if (staff != event->staff) return true;
    }
    Fraction& until = busy_until[event->staff];
    until = std::max(until, event->note.at + event->note.duration);
    before = event;
  }
  return false;
}

void PartReader::add_lines(const std::string& name) {
  struct Wanted {
    const VoiceEvents* voice;
    int staff;  // 0: all that it visits
  };
  std::vector<Wanted> wanted;
  for (const VoiceEvents& voice : voices_) {
    if (!voice.sounds) continue;
    if (!shares_time_across_staves(voice)) {
      wanted.push_back({&voice, 0});
      continue;
    }
    std::set<int> staves;
    for (const Event& event : voice.events) {
      if (!event.rest) staves.insert(event.staff);
    }
    for (const int staff : staves) wanted.push_back({&voice, staff});
  }
  if (wanted.empty()) {
    // A silent part gives one silent voice.
    static const VoiceEvents silence;
    wanted.push_back({&silence, 0});
  }
  for (const Wanted& line : wanted) {
    std::string full = name;
    if (wanted.size() > 1) {
      if (!full.empty()) full += ", ";
      if (line.staff != 0) full += "staff " + std::to_string(line.staff) + ", ";
      full += "voice " + line.voice->number;
    }
    add_line(*line.voice, line.staff, std::move(full));
  }
}

void PartReader::add_line(const VoiceEvents& voice, int only_staff, std::string name) {
  ScoreLine line;
  line.name = std::move(name);
  int home = only_staff;
  for (const Event& event : voice.events) {
    if (event.rest || (only_staff != 0 && event.staff != only_staff)) continue;
    if (home == 0) home = event.staff;
    line.notes.push_back(event.note);
  }
  if (!score_.may_add(changes_.size())) return;
  for (const StaffChange& change : changes_) {
    if (change.staff == 0 || change.staff == std::max(home, 1)) line.changes.push_back(change.change);
  }
  score_.lines.push_back(std::move(line));
}

}  // namespace rondo::musicxml

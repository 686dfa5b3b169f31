#include <algorithm>

#include "formats/jsonl/piece.h"
#include "rondo/melody/builder.h"

namespace rondo::jsonl {
namespace {

const Json* list(const Json& object, const char* key, std::size_t size) {
  const auto found = object.find(key);
  return found != object.end() && found->is_array() && found->size() == size ? &*found : nullptr;
}

/// Onsets from ticks of unknown length. A note lasts at most until the next one, so the greatest ratio of duration to
/// ticks is that of notes without a rest after them: the length of a tick. Empty if the ticks do not ascend.
std::vector<Fraction> onsets_from_ticks(const Json& ticks, const std::vector<Fraction>& durations) {
  std::vector<std::int64_t> numbers;
  for (const Json& tick : ticks) {
    const auto number = read_whole(tick);
    const bool ascends = number && *number >= 0 && *number < INT32_MAX && (numbers.empty() || *number > numbers.back());
    if (!ascends) return {};
    numbers.push_back(*number);
  }
  Fraction unit;
  for (std::size_t i = 0; i + 1 < numbers.size(); ++i) {
    unit = std::max(unit, durations[i] / Fraction(numbers[i + 1] - numbers[i]));
  }
  std::vector<Fraction> onsets;
  if (numbers.size() > 1 && !(unit > Fraction(0))) return {};
  onsets.reserve(numbers.size());
  for (const std::int64_t number : numbers) onsets.push_back(Fraction(number - numbers.front()) * unit);
  return onsets;
}

}  // namespace

Result<Voice> read_feature_voice(const Json& object, std::size_t& rounded, Diagnostics& warnings) {
  const Json& pitches = object["midipitch"];
  const Json* quarters = list(object, "duration_quarters", pitches.is_array() ? pitches.size() : 0);
  if (!pitches.is_array() || quarters == nullptr) {
    return fail("jsonl-value", "midipitch and duration_quarters must be lists of the same length");
  }
  std::vector<Fraction> durations;
  for (std::size_t i = 0; i < quarters->size(); ++i) {
    const auto duration = read_time((*quarters)[i], rounded);
    if (!duration) return fail("jsonl-value", "duration_quarters[" + std::to_string(i) + "]: this is not a time");
    durations.push_back(*duration / Fraction(4));
  }
  std::vector<Fraction> onsets;
  if (const Json* ticks = list(object, "onset_tick", pitches.size())) onsets = onsets_from_ticks(*ticks, durations);
  if (onsets.size() != durations.size()) {
    if (object.contains("onset_tick")) {
      warnings.push_back({"jsonl-ticks-unread",
                          "onset_tick cannot be converted to whole notes; the notes follow each other without rests",
                          {},
                          {}});
    }
    onsets.clear();
    Fraction now;
    for (const Fraction duration : durations) {
      onsets.push_back(now);
      now += duration;
    }
  }
  VoiceBuilder builder;
  if (const auto time = object.find("timesignature"); time != object.end()) {
    if (const auto signature = read_time_signature(*time)) builder.time(Fraction(), *signature);
  }
  for (std::size_t i = 0; i < pitches.size(); ++i) {
    const auto midi = read_whole(pitches[i]);
    if (!midi || *midi < 0 || *midi > 127) {
      return fail("jsonl-value", "midipitch[" + std::to_string(i) + "]: this is not a whole number of 0 to 127");
    }
    builder.note(onsets[i], durations[i], Pitch::from_midi(static_cast<int>(*midi)), false, false);
  }
  return builder.finish();
}

}  // namespace rondo::jsonl

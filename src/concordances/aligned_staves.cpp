#include "concordances/aligned_staves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "rondo/melody/line.h"

namespace rondo::concordances {
namespace {

/// Columns of a staff: what is behind them is not drawn.
constexpr std::size_t kMostColumns = 64;
/// Notes that are drawn between two of the centre.
constexpr std::size_t kMostBetween = 6;
constexpr int kColumn = 15;  ///< pixels
constexpr int kStep = 3;     ///< pixels from a line to the next space
constexpr int kMiddle = 34;  ///< of the staff's middle line
constexpr int kHeight = 80;
constexpr int kLineB4 = 34;  ///< Pitch::diatonic of the middle line

enum class Mark : std::uint8_t { same, other, added };

struct Head {
  std::size_t note = 0;
  Mark mark = Mark::same;
};

/// A member against the centre: by note of the centre the note paired with it, and the notes before it; behind the last
/// the rest.
struct Against {
  std::vector<std::vector<Head>> before;  ///< one more than the centre has notes
  std::vector<std::vector<Head>> paired;  ///< none or one
};

Against align(const Explanation& why, std::size_t centre_notes) {
  Against out;
  out.before.resize(centre_notes + 1);
  out.paired.resize(centre_notes);
  std::size_t at = 0;  // notes of the centre that were passed
  for (const Step& step : why.steps) {
    if (step.kind == Step::Kind::gap_in_query) {
      for (std::size_t j = step.document.begin; j < step.document.end; ++j) out.before[at].push_back({j, Mark::added});
    } else if (step.kind == Step::Kind::gap_in_document) {
      at = step.query.end;
    } else {
      at = step.query.begin;
      out.paired[at].push_back({step.document.begin, step.kind == Step::Kind::match ? Mark::same : Mark::other});
      at = step.query.end;
    }
  }
  return out;
}

AlignedStaff counted(const Against& against) {
  AlignedStaff out;
  for (const auto& heads : against.paired) {
    out.missing += heads.empty() ? 1 : 0;
    for (const Head& head : heads) ++(head.mark == Mark::same ? out.same : out.other);
  }
  for (const auto& heads : against.before) out.added += heads.size();
  return out;
}

/// The notes of a voice that its line has.
std::vector<const Note*> drawn_notes(const Voice& voice) {
  std::vector<const Note*> out;
  for (const auto& sources : line_sources(voice)) out.push_back(&voice.notes[sources.front()]);
  return out;
}

class Staff {
 public:
  explicit Staff(std::size_t columns) : width_(static_cast<int>(columns) * kColumn + 16) {
    for (int line = -2; line <= 2; ++line) {
      const int y = kMiddle + 2 * kStep * line;
      body_ += fmt::format("<path class=\"l\" d=\"M0 {}H{}\"/>", y, width_);
    }
  }

  void note(std::size_t column, const Note& note, int lower_by, Mark mark) {
    const int x = x_of(column);
    const int position = std::clamp(note.pitch.diatonic() - lower_by - kLineB4, -11, 11);
    const int y = kMiddle - kStep * position;
    const char* const kind = mark == Mark::same ? "n" : mark == Mark::other ? "n o" : "n a";
    for (int line = 6; line <= std::abs(position); line += 2) {
      const int ledger = position > 0 ? kMiddle - kStep * line : kMiddle + kStep * line;
      body_ += fmt::format("<path class=\"l\" d=\"M{} {}h10\"/>", x - 5, ledger);
    }
    const double length = note.duration.to_double();
    const bool hollow = length >= 0.5;
    body_ += fmt::format("<g class=\"{}\"><ellipse class=\"{}\" cx=\"{}\" cy=\"{}\" rx=\"3.8\" ry=\"2.8\"/>", kind,
                         hollow ? "h" : "f", x, y);
    if (length < 1) {
      const bool up = position < 0;
      const int end = up ? y - 18 : y + 18;
      const double stem = up ? x + 3.6 : x - 3.6;
      body_ += fmt::format("<path d=\"M{} {}V{}\"/>", stem, y, end);
      int flags = 0;
      for (double value = 0.25; length < value && flags < 4; value /= 2) ++flags;
      for (int f = 0; f < flags; ++f) {
        body_ += fmt::format("<path d=\"M{} {}l4 {}\"/>", stem, end + (up ? 4 : -4) * f, up ? 5 : -5);
      }
    }
    if (mark == Mark::other) body_ += fmt::format("<path d=\"M{} 78l4 -7l4 7z\"/>", x - 4);
    if (mark == Mark::added) body_ += fmt::format("<path d=\"M{} 74h8M{} 70v8\"/>", x - 4, x);
    body_ += "</g>";
  }
  void missing(std::size_t column) {
    body_ += fmt::format("<g class=\"n a\"><path d=\"M{} 74h8\"/></g>", x_of(column) - 4);
  }
  void cut() { body_ += fmt::format("<text x=\"{}\" y=\"{}\">…</text>", width_ - 10, kMiddle + 4); }

  [[nodiscard]] std::string text(const AlignedStaff& counts) const {
    return fmt::format(
               "<svg viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" role=\"img\" aria-label=\"{} notes the same, {} "
               "of "
               "another pitch, {} additional, {} missing\">",
               width_, kHeight, width_, kHeight, counts.same, counts.other, counts.added, counts.missing) +
           body_ + "</svg>";
  }

 private:
  static int x_of(std::size_t column) { return static_cast<int>(column) * kColumn + 10; }
  int width_;
  std::string body_;
};

/// By how many steps of the staff a member is higher than the centre, most often.
int higher_by(const Against& against, const std::vector<const Note*>& centre, const std::vector<const Note*>& own) {
  std::vector<int> steps;
  for (std::size_t i = 0; i < centre.size(); ++i) {
    for (const Head& head : against.paired[i]) {
      steps.push_back(own[head.note]->pitch.diatonic() - centre[i]->pitch.diatonic());
    }
  }
  if (steps.empty()) return 0;
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return *middle;
}

}  // namespace

std::vector<AlignedStaff> aligned_staves(const Shown& shown, const Group& group) {
  const Voice& centre_voice = shown.sources[group.centre].voice;
  const Line centre_line = make_line(centre_voice);
  const auto centre = drawn_notes(centre_voice);
  const auto query = shown.system.prepare(centre_line);
  std::vector<Against> all;
  std::vector<std::size_t> room(centre.size() + 1, 0);  // for notes before each of the centre's
  for (const std::uint32_t member : group.members) {
    all.push_back(align(query->explain(make_line(shown.sources[member].voice)), centre.size()));
    for (std::size_t i = 0; i <= centre.size(); ++i) {
      room[i] = std::max(room[i], std::min(kMostBetween, all.back().before[i].size()));
    }
  }
  std::vector<std::size_t> column(centre.size() + 1, 0);
  for (std::size_t i = 0, at = 0; i <= centre.size(); ++i, ++at) column[i] = at += room[i];
  const std::size_t columns = std::min(kMostColumns, column.back());
  int middle = 0;  // so that the centre lies in the middle of its staff
  for (const Note* note : centre) middle += note->pitch.diatonic();
  const double mean = static_cast<double>(middle) / static_cast<double>(std::max<std::size_t>(1, centre.size()));
  const int octaves = static_cast<int>(std::lround((mean - kLineB4) / 7.0)) * 7;
  std::vector<AlignedStaff> out;
  for (std::size_t m = 0; m < all.size(); ++m) {
    const Voice& voice = shown.sources[group.members[m]].voice;
    const auto own = drawn_notes(voice);
    const int lower = higher_by(all[m], centre, own) + octaves;
    Staff staff(columns);
    bool cut = false;
    const auto draw = [&](std::size_t at, const Head& head) {
      if (at >= columns) {
        cut = true;
      } else {
        staff.note(at, *own[head.note], lower, head.mark);
      }
    };
    for (std::size_t i = 0; i <= centre.size(); ++i) {
      const auto& before = all[m].before[i];
      const std::size_t shown_before = std::min(before.size(), kMostBetween);
      // Before the first note of the centre the last ones are the nearest, elsewhere the first.
      const std::size_t from = i == 0 ? before.size() - shown_before : 0;
      for (std::size_t k = 0; k < shown_before; ++k) draw(column[i] - shown_before + k, before[from + k]);
      cut = cut || shown_before < before.size();
      if (i == centre.size()) break;
      for (const Head& head : all[m].paired[i]) draw(column[i], head);
      if (all[m].paired[i].empty() && column[i] < columns) staff.missing(column[i]);
    }
    if (cut) staff.cut();
    AlignedStaff& counts = out.emplace_back(counted(all[m]));
    counts.svg = staff.text(counts);
  }
  return out;
}

}  // namespace rondo::concordances

#include <map>
#include <set>

#include "search/fast/method.h"
#include "search/fast/tally.h"
#include "search/index/grams.h"

namespace rondo::fast {
namespace {

/// For ngr5, the number of distinct sequences of five intervals that two melodies share. A document with such a
/// sequence has each of the three folded windows in it; so each sequence is looked for in the shortest of the three
/// lists, and a document's score is at most the number of sequences that found it.
class Ngr5Lists final : public Method {
 public:
  explicit Ngr5Lists(const Line& query) {
    std::set<std::vector<std::uint32_t>> seen;
    for (std::size_t i = 0; i + 6 <= query.size(); ++i) {
      std::vector<std::uint32_t> windows;
      for (std::size_t k = 0; k < 3; ++k) windows.push_back(index::folded_window(query.pitch, i + k));
      if (seen.insert(windows).second) sequences_.push_back(windows);
    }
  }

  void run(const Field& field, Team& team) const override {
    const Segment& segment = *field.segment;
    std::map<std::uint32_t, int> worth;
    for (const auto& windows : sequences_) {
      ++worth[*std::min_element(windows.begin(), windows.end(), [&](std::uint32_t a, std::uint32_t b) {
        return segment.gram4(a).size < segment.gram4(b).size;
      })];
    }
    std::vector<WeightedList> lists;
    for (const auto& [window, sequences] : worth) lists.push_back({segment.gram4(window), sequences, 1});
    Tally tally(segment.size(), lists);
    while (!tally.done()) tally.read_next();

    // From the most promising down; a level whose documents cannot reach the bar ends it. kFull may hide more.
    std::vector<std::vector<DocumentId>> levels(Tally::kFull + 1);
    std::vector<DocumentId> found;
    tally.collect(0, segment.size(), 1, found);
    for (const DocumentId d : found) levels[static_cast<std::size_t>(tally.sum(d))].push_back(d);
    for (int level = Tally::kFull; level >= 1; --level) {
      const auto& documents = levels[static_cast<std::size_t>(level)];
      if (level < Tally::kFull && level < team.first().bar()) break;
      constexpr std::size_t kPiece = 256;
      team.share(documents.size(), kPiece, [&](Contest& contest, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          if (field.has(documents[i])) contest.offer(field, documents[i]);
        }
      });
    }
  }

 private:
  std::vector<std::vector<std::uint32_t>> sequences_;
};

}  // namespace

std::unique_ptr<Method> make_ngr5_method(const Task& task) {
  if (task.row.name != "ngr5" || task.query.size() < task.row.shortest) return nullptr;
  return std::make_unique<Ngr5Lists>(task.query);
}

}  // namespace rondo::fast

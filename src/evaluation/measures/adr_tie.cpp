#include <algorithm>
#include <numeric>
#include <vector>

#include "all.h"
#include "evaluation/curves.h"
#include "parts.h"

namespace rondo::evaluation::measures {
namespace {

/// A hit that plain ADR cannot place: found before its group begins, or after its group has ended.
bool problematic(const Hit& hit, const std::vector<std::size_t>& group_ends) {
  const std::size_t begin = hit.group == 1 ? 0 : group_ends[hit.group - 2];
  return hit.rank <= begin || hit.rank > group_ends[hit.group - 1];
}

/// The constructed list of section 4: the problematic documents stay, and one document of the top group replaces all
/// others. It is a member of the top group that does not occur otherwise, so that the score does not depend on the
/// order of ids; if there is none, it is the first that occurs. A repeated document counts once, so the replacement is
/// a hit only the first time.
JudgedList constructed(const JudgedList& list) {
  std::vector<std::size_t> ends(list.group_sizes.size());
  std::partial_sum(list.group_sizes.begin(), list.group_sizes.end(), ends.begin());
  const std::size_t depth = std::min(list.retrieved(), list.relevant);
  const std::size_t groups = list.group_sizes.size();

  JudgedList out;
  out.relevant = list.relevant;
  out.group_sizes.assign(list.group_sizes.rbegin(), list.group_sizes.rend());
  out.groups.assign(depth, kUnjudged);
  std::size_t top_members = 0;
  std::size_t first_top = 0;
  for (const Hit& hit : list.hits) {
    if (hit.rank > depth) break;
    if (!problematic(hit, ends)) continue;
    if (hit.group == 1 && top_members++ == 0) first_top = hit.rank;
    out.groups[hit.rank - 1] = static_cast<std::int32_t>(groups - hit.group + 1);
  }
  const auto stand_in = std::find(out.groups.begin(), out.groups.end(), kUnjudged);
  if (stand_in != out.groups.end()) {
    const auto rank = static_cast<std::size_t>(stand_in - out.groups.begin()) + 1;
    const bool fresh = top_members < list.group_sizes.front();
    if (fresh || rank < first_top) *stand_in = static_cast<std::int32_t>(groups);
    if (!fresh && rank < first_top) out.groups[first_top - 1] = kUnjudged;
  }
  for (std::size_t i = 0; i < depth; ++i) {
    if (out.groups[i] > 0) out.hits.push_back({i + 1, static_cast<std::size_t>(out.groups[i]), 0});
  }
  return out;
}

std::optional<double> adr_tie_of(const JudgedList& list, std::size_t /*cutoff*/) {
  if (list.relevant == 0) return 0;
  const std::vector<double> recalls = dynamic_recalls(constructed(list));
  return std::accumulate(recalls.begin(), recalls.end(), 0.0) / static_cast<double>(recalls.size());
}

}  // namespace

constinit const Measure kAdrTie{
    .name = "ADR[tie]",
    .aliases = "",
    .definition =
        "Breaks ties of ADR: the answer keeps only the documents ADR cannot place (met before their group begins or "
        "after it has ended), one of the top group stands for all others, and ADR is computed against the reversed "
        "truth. That rewards the wrong order, so of two answers with equal ADR the one with the lower value is "
        "the better.",
    .reference =
        "Typke, Veltkamp, Wiering: A measure for evaluating retrieval techniques based on partially ordered ground "
        "truth lists, ICME 2006, section 4",
    .low = 0,
    .high = 1,
    .higher_is_better = false,
    .takes_cutoff = false,
    .value = adr_tie_of,
};

}  // namespace rondo::evaluation::measures

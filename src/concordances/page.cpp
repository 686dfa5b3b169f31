#include <fmt/format.h>

#include <ostream>

#include "concordances/aligned_staves.h"
#include "concordances/group_facts.h"
#include "concordances/markup.h"
#include "concordances/write.h"

namespace rondo::concordances {
namespace {

constexpr const char* kStyle = R"css(
:root{color-scheme:light dark;--ink:#1a1a1a;--paper:#fff;--soft:#666;--edge:#d5d5d5;--other:#b3261e;--added:#0b57a4}
@media(prefers-color-scheme:dark){:root{--ink:#eee;--paper:#16181b;--soft:#a9a9a9;--edge:#3b3f45;--other:#ff8a80;--added:#8ab4f8}}
body{font:15px/1.45 system-ui,sans-serif;color:var(--ink);background:var(--paper);margin:0 auto;max-width:75rem;padding:1rem}
h1{font-size:1.5rem;margin:.2em 0}h2{font-size:1.1rem;margin:0 0 .3em}p{margin:.3em 0}
.soft{color:var(--soft)}.filters{display:flex;flex-wrap:wrap;gap:.4rem 1.2rem;border:1px solid var(--edge);padding:.6rem;margin:1rem 0}
section{border-top:2px solid var(--edge);padding:.8rem 0;break-inside:avoid}
.m{display:grid;grid-template-columns:minmax(12rem,20rem) 1fr;gap:.8rem;align-items:center}
.m div:last-child{overflow-x:auto}.id{font-weight:600;overflow-wrap:anywhere}
svg .l{stroke:var(--soft);stroke-width:.7;fill:none}svg .n{stroke:var(--ink);stroke-width:1.1;fill:none}
svg .f{fill:var(--ink)}svg .h{fill:var(--paper)}svg text{fill:var(--ink)}
svg .o{stroke:var(--other)}svg .o .f{fill:var(--other)}svg .a{stroke:var(--added)}svg .a .f{fill:var(--added)}
table{border-collapse:collapse;margin:.4rem 0}td,th{border:1px solid var(--edge);padding:.15rem .5rem;text-align:left}
.wide{overflow-x:auto}
[hidden]{display:none}@media(max-width:45rem){.m{grid-template-columns:minmax(0,1fr)}}
@media print{.filters{display:none}body{max-width:none;padding:0}section{break-inside:auto}.m{break-inside:avoid}
h2,h2+p{break-after:avoid}
.m div:last-child{overflow:visible}svg{max-width:100%;height:auto}}
)css";

constexpr const char* kScript = R"js(
const boxes=[...document.querySelectorAll('.filters input')];
const count=document.getElementById('count');
function apply(){
  const words=document.getElementById('words').value.toLowerCase();
  let shown=0;const all=document.querySelectorAll('section[data-group]');
  for(const s of all){
    const fine=boxes.every(b=>b.type!=='checkbox'||!b.checked||s.dataset[b.name]==='1')&&
      (!words||s.textContent.toLowerCase().includes(words));
    s.hidden=!fine;if(fine)shown++;
  }
  count.textContent=shown+' of '+all.length+' groups';
}
for(const b of boxes)b.addEventListener('input',apply);apply();
)js";

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string out;
  for (const std::string_view part : parts) {
    if (part.empty()) continue;
    if (!out.empty()) out += ", ";
    out += escaped(part);
  }
  return out;
}

/// "97 %" or nothing; nothing is certain.
std::string percent_of(const std::optional<double>& probability) {
  if (!probability) return {};
  return *probability >= 0.995 ? std::string("over 99 %") : fmt::format("{:.0f} %", 100 * *probability);
}

/// A score and, where it is known, its probability: "0.83, probability 97 %".
std::string score_text(double score, const std::optional<double>& probability) {
  return fmt::format("{:.2f}", score) + (probability ? ", probability " + percent_of(probability) : "");
}

void write_group(std::ostream& out, const Shown& shown, std::size_t number) {
  const Group& group = shown.grouping.groups[number];
  const GroupFacts facts = facts_of(shown, group);
  const auto flag = [](bool on) { return on ? 1 : 0; };
  const std::size_t size = group.members.size();
  out << fmt::format(
      "<section data-group=\"{}\" data-libraries=\"{}\" data-centuries=\"{}\" data-composers=\"{}\">"
      "<h2>Group {}: {} melodies</h2><p class=\"soft\">{} of {} pairs found; mean score {}</p>\n",
      number + 1, flag(facts.across_libraries()), flag(facts.across_centuries()), flag(facts.different_composers()),
      number + 1, size, group.pairs.size(), size * (size - 1) / 2, score_text(group.mean, group.probability));
  const std::vector<AlignedStaff> staves = aligned_staves(shown, group);
  const std::vector<Evidence> why = evidence_of(shown, group);
  for (std::size_t i = 0; i < size; ++i) {
    const MelodyRef& melody = shown.found.melodies[group.members[i]];
    const Metadata& m = shown.sources[group.members[i]].metadata;
    out << "<div class=\"m\"><div><span class=\"id\">" << escaped(melody.id) << "</span>";
    if (melody.voice != 0) out << " <span class=\"soft\">voice " << melody.voice + 1 << "</span>";
    if (melody.second) out << " <span class=\"soft\">in the second collection</span>";
    out << "<br>" << joined({m.composer, m.title}) << "<br><span class=\"soft\">"
        << joined({m.library, m.shelfmark, m.year}) << "</span><br><span class=\"soft\">"
        << (group.members[i] == group.centre ? std::string("the others are aligned with this melody")
                                             : fmt::format("found with {} of {}; nearest {} ({})", why[i].partners,
                                                           size - 1, escaped(shown.found.melodies[why[i].best].id),
                                                           score_text(why[i].score, why[i].probability)))
        << "</span></div><div>" << staves[i].svg << "</div></div>\n";
  }
  out << "</section>\n";
}

std::string threshold_of(const Options& options) {
  std::string score = fmt::format("a score of at least {}", options.least_score);
  if (!options.least_probability) return score;
  return fmt::format("a probability of at least {} and {}", *options.least_probability, score);
}

void write_links(std::ostream& out, const Shown& shown) {
  if (shown.grouping.links.empty()) return;
  out << "<section><h2>Pairs outside the groups</h2><p>A melody that is part of another, melodies that have one phrase "
         "in common and go different ways otherwise, "
         "and pairs that would have "
         "joined two groups that otherwise have little in common.</p><div "
         "class=\"wide\"><table><tr><th>melody</th><th>relation</th>"
         "<th>melody</th><th>scores</th><th>probability</th></tr>\n";
  for (const std::uint32_t p : shown.grouping.links) {
    const Pair& pair = shown.found.pairs[p];
    out << "<tr><td>" << escaped(shown.found.melodies[pair.a].id) << "</td><td>" << to_string(pair.relation)
        << "</td><td>" << escaped(shown.found.melodies[pair.b].id) << "</td><td>"
        << fmt::format("{:.2f}, {:.2f}", pair.ab, pair.ba) << "</td><td>" << percent_of(pair.probability())
        << "</td></tr>\n";
  }
  out << "</table></div></section>\n";
}

}  // namespace

void write_page(std::ostream& out, const Shown& shown) {
  out << "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
         "content=\"width=device-width,initial-scale=1\"><title>"
      << escaped(shown.title) << "</title><style>" << kStyle << "</style></head><body><h1>" << escaped(shown.title)
      << "</h1>\n"
      << fmt::format(
             "<p>{} melodies compared, {} left out as shorter than {} notes. Pairs {} {} under the system {}: "
             "{}.</p>\n",
             shown.found.compared, shown.found.too_short, shown.options.least_notes,
             shown.options.either ? "of which one has" : "that have, in both directions,", threshold_of(shown.options),
             escaped(shown.options.system), shown.found.pairs.size())
      << "<p class=\"soft\">Melodies of a group are shown one under the other, aligned with one of them and in its "
         "key, "
         "without accidentals. A triangle marks a note of another pitch, a plus an additional note, a minus a missing "
         "one.</p>\n<div class=\"filters\"><label><input type=\"checkbox\" name=\"libraries\"> across libraries</label>"
         "<label><input type=\"checkbox\" name=\"centuries\"> across centuries</label>"
         "<label><input type=\"checkbox\" name=\"composers\"> attributed to different composers</label>"
         "<label>words <input id=\"words\" type=\"search\"></label><span id=\"count\" class=\"soft\" "
         "aria-live=\"polite\"></span></div>\n";
  for (std::size_t g = 0; g < shown.grouping.groups.size(); ++g) write_group(out, shown, g);
  write_links(out, shown);
  out << "<script>" << kScript << "</script></body></html>\n";
}

}  // namespace rondo::concordances

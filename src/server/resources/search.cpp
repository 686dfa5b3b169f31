#include "server/search.h"

#include <fmt/format.h>

#include "rondo/search/matched_notes.h"
#include "server/listing.h"
#include "server/problem.h"
#include "server/resources/resources.h"

namespace rondo::server {
namespace {

void append_numbers(std::string& out, const std::vector<std::uint32_t>& numbers) {
  out += '[';
  for (std::size_t i = 0; i < numbers.size(); ++i)
    fmt::format_to(std::back_inserter(out), "{}{}", i == 0 ? "" : ",", numbers[i]);
  out += ']';
}

/// A hit as JSON. The view is ready-made text; only what belongs to this query is added.
void append_hit(std::string& out, const Listed& listed, std::size_t rank, const HeardQuery& query,
                const PreparedQuery& prepared) {
  const HitView& view = *listed.view;
  const Line line = make_line(view.voice, query.heard);
  const MatchedNotes matched =
      matched_notes(prepared.explain(line), query.voice, query.query_heard, view.voice, query.heard);
  const auto& probability = listed.found.probability;
  out += fmt::format(R"({{"rank":{},"score":{},"probability":{},{},"matched":{{"query":)", rank,
                     json_text(listed.found.score.value), probability ? json_text(*probability) : "null", view.members);
  append_numbers(out, matched.query);
  out += R"(,"document":)";
  append_numbers(out, matched.document);
  out += fmt::format(R"(}},"duplicates":{}}})", json_text(Json(listed.duplicates)));
}

Result<std::string> facets_text(const AskedSearch& asked, const SearchAnswer& answer, Session& session) {
  const auto until = session.deadline();
  bool plain = !answer.selected;
  for (const auto& values : asked.choices) plain = plain && values.empty();
  if (plain) {
    auto counts = session.snapshot->all_counts(session.collection, until);
    if (!counts) return fail(std::move(counts.error()));
    return **counts;
  }
  auto facets = session.snapshot->facets(session.collection, until);
  if (!facets) return fail(std::move(facets.error()));
  return json_text((*facets)->counts(asked.choices, answer.selected));
}

Json remarks_of(const AskedSearch& asked, const SearchAnswer& answer) {
  Diagnostics remarks = asked.melody.typed.remarks;
  if (answer.query.cut) {
    remarks.push_back({"query-cut", fmt::format("only the first {} notes are looked for", kMostQueryNotes), {}, {}});
  }
  return remarks_json(remarks);
}

Result<std::string> answer_text(const AskedSearch& asked, const ListedAnswer& listed, Session& session) {
  const SearchAnswer& answer = listed.answer;
  const std::size_t offset = asked.request().offset;
  const auto prepared = answer.system->system->prepare(answer.query.line);
  Json head = {{"query",
                {{"pae", pae_line(answer.query.voice)},
                 {"notes", notes_json(answer.query.voice)},
                 {"warnings", remarks_of(asked, answer)}}},
               {"system", answer.system->name},
               {"milliseconds", answer.milliseconds},
               {"compared", answer.result.compared},
               {"not_reached", answer.result.not_reached},
               {"too_short", answer.result.too_short},
               {"filtered_out", answer.result.filtered_out},
               {"complete", answer.result.complete},
               {"exact", answer.result.exact},
               {"expanded", answer.expanded},
               {"total", answer.total},
               {"offset", offset}};
  std::string out = "{" + members_text(head) + R"(,"hits":[)";
  for (std::size_t i = 0; i < listed.places.size(); ++i) {
    if (i > 0) out += ',';
    append_hit(out, listed.places[i], offset + i + 1, answer.query, *prepared);
  }
  auto facets = facets_text(asked, answer, session);
  if (!facets) return facets;
  out += fmt::format(R"(],"facets":{}}})", *facets);
  return out;
}

}  // namespace

Response get_search(const Call& call) {
  auto known = call.target.arguments.only(search_arguments());
  return known ? search_answer(call) : problem(known.error());
}

Response search_answer(const Call& call) {
  auto asked = AskedSearch::from(call.target.arguments, 20, kMostHits);
  if (!asked) return problem(asked.error());
  const auto form = form_of(call, {Form::json, Form::csv, Form::trec});
  if (!form) return problem(form.error());
  auto listed = perform(*asked, call.session);
  if (!listed) return problem(listed.error());
  Response response;
  if (*form == Form::json) {
    auto text = answer_text(*asked, *listed, call.session);
    if (!text) return problem(text.error());
    response = text_response(200, "application/json", std::move(*text));
  } else {
    Listing listing(*form, asked->request(), listed->answer.system->name);
    std::string text = listing.head();
    for (std::size_t i = 0; i < listed->places.size(); ++i) {
      const Listed& one = listed->places[i];
      text += listing.line({asked->request().offset + i + 1, one.found, one.view->id, one.view->metadata, one.view->pae,
                            one.duplicates});
    }
    response = text_response(200, type_of(*form), std::move(text));
  }
  // Another try may find more.
  if (!listed->answer.result.complete) response.set("Cache-Control", "no-store");
  return response;
}

}  // namespace rondo::server

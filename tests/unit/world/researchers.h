#pragma once

#include "study/json.h"
#include "study/results.h"
#include "unit/world/participants.h"

/// People who make studies, invite, look at results, and decide on concordances.
namespace rondo::world {

class Researches {
 public:
  Researches(std::string address, bool by_token) : address_(std::move(address)), by_token_(by_token) {}

  void act(World& world) {
    if (!by_token_ && token_.empty()) return login(world);
    bool unclear = false;
    in_ = by_token_ || login_of(world, token_, unclear) != nullptr;
    if (unclear) return;
    if (!in_ && world.once_in(2)) {
      token_.clear();
      return;
    }
    name_ = fmt::format("s{}", world.below(3));
    const bool there = world.durable.studies.count(name_) > 0;
    switch (world.below(16)) {
      case 0: return by_token_ ? me(world) : logout(world);
      case 1: return me(world);
      case 2: return there ? change(world) : create(world);
      case 3: return invite(world);
      case 4: return renew(world);
      case 5: return leave_out(world);
      case 6: return withdraw(world);
      case 7: return open_link(world);
      case 8: return list(world);
      case 9:
      case 10: return read(world);
      case 11:
      case 12: return truth(world);
      case 13: return concordances(world);
      default: return decide(world);
    }
  }

 private:
  Ask ask_for(const std::string& method, const std::string& target, Json body = nullptr) const {
    Ask ask{method, target, address_, "", "", "", "", std::move(body)};
    if (by_token_) {
      ask.bearer = kToken;
    } else {
      ask.cookie = std::string(server::kResearcherCookie) + "=" + token_;
      if (method != "GET") ask.csrf = csrf_;
    }
    return ask;
  }
  std::string at(const std::string& rest = "") const { return "/api/v1/studies/" + name_ + rest; }

  /// The reply, if it is that of an existing study.
  std::optional<Reply> ask(World& world, Ask ask, Expected expected) {
    if (!in_) {
      expected = {401, "login-needed"};
    } else if (!by_token_ && ask.method != "GET" && world.once_in(25)) {
      ask.csrf = "x";
      expected = {403, "csrf-wrong"};
    }
    auto reply = world.ask(ask, expected);
    return reply && reply->status < 400 ? reply : std::nullopt;
  }
  Expected there(World& world, unsigned status = 200) const {
    return world.durable.studies.count(name_) > 0 ? Expected{status} : Expected{404, "study-missing"};
  }
  Expected with_participant(World& world, std::int64_t number, unsigned status) const {
    if (world.durable.studies.count(name_) == 0) return {404, "study-missing"};
    return world.durable.find(name_, number) == nullptr ? Expected{404, "study-participant"} : Expected{status};
  }

  void login(World& world) {
    const Expected expected{200, "", [](Durable& durable, const Reply* reply) {
                              if (reply == nullptr) return;
                              durable.logins[token_in(*reply)] = {
                                  reply->json.value("csrf", ""), "", 0,
                                  World::calendar_seconds() + study::kResearcherSeconds};
                            }};
    const auto reply = world.ask({"POST", "/api/v1/login", address_, "", "", "", "", {{"token", kToken}}}, expected);
    if (!reply || reply->status != 200) return;
    token_ = token_in(*reply);
    csrf_ = reply->json.value("csrf", "");
    world.require(!token_.empty() && !csrf_.empty(), "a researcher who logged in got no session");
  }

  void logout(World& world) {
    Expected expected{204, "", [token = token_](Durable& durable, const Reply*) { durable.logins.erase(token); }};
    if (!in_) expected = {401, "login-needed"};
    const auto reply = world.ask(ask_for("POST", "/api/v1/logout", Json::object()), expected);
    if (!reply && in_) {
      auto studies = test::must(study::Studies::open(world.db(), OpenMode::write));
      if (!test::must(study::Access(studies).find(token_))) world.durable.logins.erase(token_);
    }
    if (reply) token_.clear();
  }

  void me(World& world) {
    const auto reply = world.ask(ask_for("GET", "/api/v1/me"), Expected{});
    if (reply)
      world.require(reply->json["role"] == (in_ ? "researcher" : "visitor"), "another role than the session's");
  }

  void create(World& world) {
    const bool ties = world.once_in(2);
    const Expected expected{201, "", [&world, name = name_](Durable& durable, const Reply*) {
                              // What chance decides is read from the file; it must not change any more.
                              auto studies = test::must(study::Studies::open(world.db(), OpenMode::write));
                              if (auto made = studies.load(name, true)) durable.studies[name] = *made;
                            }};
    const std::vector<std::string> sets = {kSets[world.below(2)], kSets[2]};
    const auto reply = ask(world,
                           ask_for("POST", "/api/v1/studies",
                                   {{"name", name_}, {"title", name_}, {"candidate_sets", sets}, {"ties", ties}}),
                           expected);
    if (!reply) return;
    const auto made = world.durable.studies.find(name_);
    world.require(made != world.durable.studies.end(), "an acknowledged study is not there");
    world.require(made->second.queries.size() == 2 && made->second.settings.ties == ties &&
                      made->second.settings.state == study::State::draft && made->second.participants.empty(),
                  "another study than was asked for");
  }

  void change(World& world) {
    study::Settings settings = world.durable.studies.at(name_).settings;
    Json body = Json::object();
    if (world.once_in(3)) body["title"] = settings.title = fmt::format("Title {}", world.below(100));
    Expected expected;
    if (world.once_in(2)) {
      const auto state = static_cast<study::State>(world.below(3));
      body["state"] = to_string(state);
      const bool back = state == study::State::draft && settings.state != study::State::draft;
      const bool early = state == study::State::closed && settings.state == study::State::draft;
      if (back || early) expected = {422, "study-state"};
      settings.state = state;
    }
    if (world.once_in(6)) {
      const bool ties = world.once_in(2);
      body["ties"] = ties;
      if (ties != settings.ties && world.durable.studies.at(name_).settings.state != study::State::draft) {
        expected = {422};
      }
      settings.ties = ties;
    }
    if (expected.status == 200) {
      expected.apply = [name = name_, settings](Durable& durable, const Reply*) {
        durable.studies.at(name).settings = settings;
      };
    }
    (void)ask(world, ask_for("PATCH", at(), body), expected);
  }

  void invite(World& world) {
    const std::string label = fmt::format("guest {}", world.below(1000));
    Expected expected = there(world, 201);
    expected.apply = [name = name_, label](Durable& durable, const Reply* reply) {
      const std::int64_t number = durable.add(name, label, "invited");
      if (reply != nullptr) durable.codes[{name, number}] = reply->json["invitations"][0]["code"];
    };
    (void)ask(world, ask_for("POST", at("/invitations"), {{"labels", {label}}}), expected);
  }

  std::int64_t some_number(World& world) const {
    const auto study = world.durable.studies.find(name_);
    if (study == world.durable.studies.end() || study->second.participants.empty() || world.once_in(10)) return 77;
    return world.one_of(study->second.participants).number;
  }

  void renew(World& world) {
    const std::int64_t number = some_number(world);
    Expected expected = with_participant(world, number, 201);
    expected.apply = [name = name_, number](Durable& durable, const Reply* reply) {
      durable.end_logins(name, number);
      durable.codes.erase({name, number});
      if (reply != nullptr) durable.codes[{name, number}] = reply->json["invitations"][0]["code"];
    };
    if (!world.once_in(4)) return;
    const auto reply = ask(world, ask_for("POST", at("/invitations"), {{"again", {number}}}), expected);
    if (reply || expected.status != 201 || !in_) return;
    // Without a reply nobody knows whether the old code is still valid, and the researcher asks for another one.
    world.durable.codes.erase({name_, number});
    auto studies = test::must(study::Studies::open(world.db(), OpenMode::write));
    std::erase_if(world.durable.logins, [&](const auto& login) {
      return login.second.study == name_ && login.second.number == number &&
             !test::must(study::Access(studies).find(login.first));
    });
  }

  void leave_out(World& world) {
    const std::int64_t number = some_number(world);
    const std::string reason = world.once_in(2) ? "" : "asleep";
    Expected expected = with_participant(world, number, 200);
    expected.apply = [name = name_, number, reason](Durable& durable, const Reply*) {
      durable.at(name, number).excluded = reason;
    };
    (void)ask(world, ask_for("POST", at("/left-out"), {{"participant", number}, {"reason", reason}}), expected);
  }

  void withdraw(World& world) {
    if (!world.once_in(4)) return;
    const std::int64_t number = some_number(world);
    Expected expected = with_participant(world, number, 201);
    expected.apply = [name = name_, number](Durable& durable, const Reply*) { durable.withdraw(name, number); };
    (void)ask(world, ask_for("POST", at("/withdrawals"), {{"participant", number}}), expected);
  }

  void open_link(World& world) {
    const bool enabled = !world.once_in(3);
    Expected expected = there(world);
    expected.apply = [name = name_, enabled](Durable& durable, const Reply* reply) {
      durable.links.erase(name);
      if (!enabled) return;
      const std::string path =
          reply == nullptr || !reply->json["path"].is_string() ? "" : reply->json["path"].get<std::string>();
      durable.links[name] = path.substr(path.find("#") + 1);
    };
    const auto reply = ask(world, ask_for("POST", at("/open-link"), {{"enabled", enabled}}), expected);
    // Without a reply nobody knows which link is the one.
    if (const auto link = world.durable.links.find(name_); !reply && link != world.durable.links.end())
      link->second.clear();
  }

  void list(World& world) {
    const auto reply = ask(world, ask_for("GET", "/api/v1/studies"), Expected{});
    if (!reply) return;
    world.require(reply->json["studies"].size() == world.durable.studies.size(), "another number of studies");
    for (const Json& one : reply->json["studies"]) {
      const Study& study = world.durable.studies.at(one["name"]);
      std::size_t votes = 0;
      std::size_t finished = 0;
      for (const Participant& person : study.participants) {
        std::size_t done = 0;
        for (const Answer& answer : person.answers) {
          votes += answer.given() ? 1 : 0;
          done += answer.done ? 1 : 0;
        }
        finished += done == study.queries.size() ? 1 : 0;
      }
      world.require(
          one["participants"] == study.participants.size() && one["votes"] == votes && one["finished"] == finished,
          "other counts in the list of studies: " + one.dump());
    }
  }

  void read(World& world) {
    const auto reply = ask(world, ask_for("GET", at("/export")), there(world));
    if (!reply) return;
    const auto read = study::study_from_json(reply->body);
    if (!read) world.fail("an export cannot be read: " + read.error().to_string());
    const std::string other = difference(world.durable.studies.at(name_), *read);
    world.require(other.empty(), "an export differs: " + other);
  }

  /// The analysis is cached for each state of a study.
  void truth(World& world) {
    const auto reply = ask(world, ask_for("GET", at("/truth")), there(world));
    if (!reply) return;
    const Study& study = world.durable.studies.at(name_);
    const auto expected = test::must(study::results_json(study, study::analyse(study, {}), {}));
    world.require(reply->json == Json::parse(expected.dump()), "the truth is not that of the votes");
  }

  void concordances(World& world) {
    switch (world.below(4)) {
      case 0: {
        const auto reply = world.ask(ask_for("POST", "/api/v1/concordances", {{"min_score", 0.5}, {"min_notes", 4}}));
        if (reply)
          world.require(reply->status == (in_ ? 202 : 401) || reply->status == 409 || reply->status >= 500,
                        "start of a run");
        return;
      }
      case 1: {
        const auto reply = world.ask(ask_for("POST", "/api/v1/concordances/cancel", Json::object()));
        if (reply)
          world.require(reply->status == (in_ ? 200 : 401) || reply->status == 409 || reply->status >= 500,
                        "end of a run");
        return;
      }
      default: {
        const auto reply = world.ask(ask_for("GET", "/api/v1/concordances/groups"));
        if (reply) {
          world.require(reply->status == 200 || reply->status == 404 || reply->status == 409 || reply->status >= 500,
                        "groups of concordances: " + reply->body);
        }
      }
    }
  }

  void decide(World& world) {
    if (world.states[world.oldest]->file() != world.states.back()->file()) world.settle();
    const std::array<const char*, 3> verdicts = {"accepted", "rejected", "open"};
    concordances::MelodyName a{fmt::format("ZQ{}", 3 + world.below(20)), 0};
    concordances::MelodyName b{fmt::format("ZQ{}", 3 + world.below(20)), static_cast<std::uint32_t>(world.below(2))};
    const std::string verdict = verdicts[world.below(3)];
    const std::string note = fmt::format("note {}", world.below(1000));
    Expected expected;
    if (!in_) {
      expected = {401};
    } else if (world.pieces().count(a.id) == 0 || world.pieces().count(b.id) == 0) {
      expected = {404, "piece-missing"};
    } else if (a == b) {
      expected = {422, "decision-melodies"};
    }
    auto after = world.decisions;
    const auto key = b < a ? std::pair(b, a) : std::pair(a, b);
    if (verdict == "open") {
      after.erase(key);
    } else {
      after[key] = {verdict, note};
    }
    const auto reply = world.ask(ask_for("PUT", "/api/v1/concordances/decisions",
                                         {{"a", {{"id", a.id}, {"voice", a.voice}}},
                                          {"b", {{"id", b.id}, {"voice", b.voice}}},
                                          {"decision", verdict},
                                          {"note", note}}),
                                 expected);
    if (expected.status != 200) return;
    if (reply) {
      world.decisions = std::move(after);
      return world.check_files();
    }
    // Nobody knows whether it was decided.
    const auto there = test::must(concordances::Decisions::open(concordances::Decisions::path_for(world.db())));
    const concordances::Decision* decided = there.find(a, b);
    const auto known = after.find(key);
    const bool is_after = decided == nullptr
                              ? known == after.end()
                              : known != after.end() &&
                                    known->second == std::pair(std::string(to_string(decided->verdict)), decided->note);
    if (is_after) world.decisions = std::move(after);
    world.check_files();
  }

  std::string address_;
  bool by_token_;
  bool in_ = false;
  std::string token_, csrf_;
  std::string name_;
};

}  // namespace rondo::world

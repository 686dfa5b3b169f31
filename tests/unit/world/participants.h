#pragma once

#include "server/access/identity.h"
#include "study/order.h"
#include "unit/world/world.h"

/// People who take part in studies. Each knows what was acknowledged, tries again what was not, and now and then does
/// what is not allowed.
namespace rondo::world {

/// The token that a reply sets as a cookie; empty: none.
inline std::string token_in(const Reply& reply) {
  const std::string cookie = reply.header("Set-Cookie");
  const std::size_t begin = cookie.find('=') + 1;
  return cookie.substr(begin, cookie.find(';') - begin);
}

/// The session of a token, if it is still valid. Sessions that end about now are neither.
inline const Login* login_of(World& world, const std::string& token, bool& unclear) {
  const auto found = world.durable.logins.find(token);
  if (found == world.durable.logins.end()) return nullptr;
  const std::int64_t left = found->second.ends - World::calendar_seconds();
  unclear = left > -60 && left < 60;
  return left > 0 ? &found->second : nullptr;
}

class TakesPart {
 public:
  TakesPart(std::string study, std::int64_t number, std::string address)
      : study_(std::move(study)), number_(number), address_(std::move(address)) {}

  void act(World& world) {
    if (token_.empty()) return join(world);
    bool unclear = false;
    const Login* login = login_of(world, token_, unclear);
    if (unclear) return;
    if (login == nullptr && world.once_in(2)) {
      token_.clear();  // the page asks for the code again
      return;
    }
    switch (world.below(16)) {
      case 0: return overview(world, login);
      case 1:
      case 2: return task(world, login);
      case 3: return consent(world, login);
      case 4: return background(world, login);
      case 5: return search(world, login);
      case 6: return foreign(world);
      case 7:
        if (world.once_in(3)) return leave(world, login);
        return join(world);  // on another device
      default: return save(world, login);
    }
  }

 private:
  Ask ask_for(const std::string& method, const std::string& rest, Json body = nullptr) {
    return {method,
            "/api/v1/study/" + study_ + "/me" + rest,
            address_,
            std::string(server::kParticipantCookie) + "=" + token_,
            method == "GET" ? "" : csrf_,
            "",
            "",
            std::move(body)};
  }
  static Expected denied() { return {401, "join-needed"}; }
  Study& study(World& world) const { return world.durable.studies.at(study_); }
  Participant& self(World& world) const { return world.durable.at(study_, number_); }
  std::size_t query_at(World& world, std::size_t number) const {
    return study::query_order(study(world).settings.seed, number_, study(world).queries.size())[number - 1];
  }

  void keep(World& world, const Reply& reply) {
    token_ = token_in(reply);
    csrf_ = reply.json.value("csrf", "");
    world.require(!token_.empty() && !csrf_.empty(), "a participant who joined got no session");
  }

  void join(World& world) {
    if (number_ == 0) return join_by_link(world);
    const auto known = world.durable.codes.find({study_, number_});
    std::string code = known == world.durable.codes.end() ? "" : known->second;
    if (code.empty()) {  // withdrawn, or the code was never received
      if (token_.empty()) number_ = 0;
      return;
    }
    const bool right = !world.once_in(12);
    if (!right) std::swap(code[0], code[1]);
    const bool same = !right && code[0] == code[1];
    Expected expected;
    if (!right && !same) {
      expected = {403, "code-unknown"};
    } else if (study(world).settings.state == study::State::draft) {
      expected = {403, "study-not-open"};
    } else {
      expected.apply = [this](Durable& durable, const Reply* reply) {
        if (reply != nullptr) {
          durable.logins[token_in(*reply)] = {reply->json.value("csrf", ""), study_, number_,
                                              World::calendar_seconds() + study::kParticipantSeconds};
        }
      };
    }
    if (expected.status != 200 && wrong_tries_++ > 6) return;  // more would be limited
    const auto reply =
        world.ask({"POST", "/api/v1/study/" + study_ + "/join", address_, "", "", "", "", {{"code", code}}}, expected);
    if (reply && reply->status == 200) keep(world, *reply);
  }

  void join_by_link(World& world) {
    const auto link = world.durable.links.find(study_);
    if (link == world.durable.links.end() || link->second.empty()) return;  // none, or nobody was told
    Expected expected;
    if (study(world).settings.state != study::State::open) {
      expected = {403, study(world).settings.state == study::State::draft ? "study-not-open" : "study-closed"};
    } else {
      expected.apply = [this](Durable& durable, const Reply* reply) {
        const std::int64_t number = durable.add(study_, "", "open link");
        if (reply == nullptr) return;
        durable.codes[{study_, number}] = reply->json.value("code", "");
        durable.logins[token_in(*reply)] = {reply->json.value("csrf", ""), study_, number,
                                            World::calendar_seconds() + study::kParticipantSeconds};
      };
    }
    const auto reply = world.ask(
        {"POST", "/api/v1/study/" + study_ + "/join", address_, "", "", "", "", {{"link", link->second}}}, expected);
    if (!reply || reply->status != 200) return;
    keep(world, *reply);
    number_ = study(world).participants.back().number;
    shown_.clear();
    saves_.clear();
  }

  void overview(World& world, const Login* login) {
    const auto reply = world.ask(ask_for("GET", ""), login == nullptr ? denied() : Expected{});
    if (!reply || login == nullptr) return;
    Participant& one = self(world);
    world.require(reply->json["participant"] == number_, "somebody else's page");
    world.require(reply->json["consented"] == !one.consented.empty(), "another consent than was given");
    for (std::size_t n = 1; n <= study(world).queries.size(); ++n) {
      const Answer* answer = answer_of(one, query_at(world, n));
      const Json& shown = reply->json["queries"][n - 1];
      world.require(shown["done"] == (answer != nullptr && answer->done), "another state of a query");
      world.require(shown["ranked"] == (answer == nullptr ? 0 : study::ranked_count(answer->ranking)),
                    "another number of ranked melodies");
    }
  }

  void task(World& world, const Login* login) {
    const std::size_t count = study(world).queries.size();
    const std::size_t number = 1 + world.below(count + 1);
    Expected expected;
    if (login == nullptr) {
      expected = denied();
    } else if (self(world).consented.empty()) {
      expected = {403, "consent-missing"};
    } else if (number > count) {
      expected = {404, "study-query-missing"};
    }
    const auto reply = world.ask(ask_for("GET", fmt::format("/queries/{}", number)), expected);
    if (!reply || reply->status != 200) return;
    const std::size_t query = query_at(world, number);
    std::vector<std::string> codes;
    for (const Json& one : reply->json["candidates"]) codes.push_back(one["code"]);
    const auto [known, fresh] = shown_.try_emplace(number, codes);
    world.require(fresh || known->second == codes, "the melodies are shown in another order than before");
    std::sort(codes.begin(), codes.end());
    world.require(codes == codes_of(world, query), "other melodies than those of the study");
    const Answer* answer = answer_of(self(world), query);
    const Answer none;
    const Answer& now = answer == nullptr ? none : *answer;
    world.require(reply->json["version"] == now.version && reply->json["done"] == now.done &&
                      reply->json["ranking"] == Json(now.ranking),
                  "another order than the one last acknowledged: " + reply->json["ranking"].dump());
  }

  std::vector<std::string> codes_of(World& world, std::size_t query) const {
    std::vector<std::string> out;
    for (const study::Candidate& one : study(world).queries[query].candidates) out.push_back(one.code);
    std::sort(out.begin(), out.end());
    return out;
  }

  Ranking make_ranking(World& world, std::size_t query) const {
    std::vector<std::string> codes = codes_of(world, query);
    Ranking out;
    while (!codes.empty() && !world.once_in(5)) {
      const auto at = codes.begin() + static_cast<std::ptrdiff_t>(world.below(codes.size()));
      if (study(world).settings.ties && !out.empty() && world.once_in(4)) {
        out.back().push_back(*at);
      } else {
        out.push_back({*at});
      }
      codes.erase(at);
    }
    return out;
  }

  struct Sent {
    std::size_t number = 0;
    std::string name;
    std::int64_t basis = 0;
    Ranking ranking;
    bool done = false;
  };

  void save(World& world, const Login* login) {
    const std::size_t count = study(world).queries.size();
    Sent sent;
    if (!saves_.empty() && world.once_in(5)) {
      sent = world.one_of(saves_);  // the reply was lost, or the page sends it twice
    } else {
      sent.number = 1 + world.below(count);
      const std::size_t query = query_at(world, sent.number);
      sent.name = fmt::format("{}-{}", address_, ++last_save_);
      sent.ranking = make_ranking(world, query);
      sent.done = world.once_in(3);
      const Answer* answer = login == nullptr ? nullptr : answer_of(self(world), query);
      sent.basis = answer == nullptr ? 0 : answer->version;
      if (world.once_in(8)) sent.basis = std::max<std::int64_t>(0, sent.basis - 1);  // another device was faster
      if (world.once_in(20)) sent.ranking.push_back({"nocode"});
    }
    const bool foreign_page = world.once_in(25);
    const std::size_t query = query_at(world, sent.number);
    Expected expected;
    std::int64_t version = sent.basis + 1;
    if (login == nullptr) {
      expected = denied();
    } else if (foreign_page) {
      expected = {403, "csrf-wrong"};
    } else if (const study::Move* before = move_of(self(world), query, sent.name)) {
      version = before->version;
    } else if (study(world).settings.state != study::State::open) {
      expected = {403, study(world).settings.state == study::State::draft ? "study-not-open" : "study-closed"};
    } else if (self(world).consented.empty()) {
      expected = {403, "consent-missing"};
    } else if (!sent.ranking.empty() && sent.ranking.back().front() == "nocode") {
      expected = {422, "ranking-unknown"};
    } else if (const Answer* answer = answer_of(self(world), query);
               (answer == nullptr ? 0 : answer->version) != sent.basis) {
      expected = {409, "ranking-conflict"};
    } else {
      expected.apply = [this, query, sent](Durable& durable, const Reply*) {
        world::save(durable.at(study_, number_), query, sent.name, sent.ranking, sent.done);
      };
    }
    Ask ask = ask_for("PUT", fmt::format("/queries/{}/ranking", sent.number),
                      {{"version", sent.basis}, {"save", sent.name}, {"ranking", sent.ranking}, {"done", sent.done}});
    if (foreign_page) ask.csrf = "x";
    saves_.push_back(sent);
    const auto reply = world.ask(ask, expected);
    if (!reply) return;
    if (reply->status == 200) world.require(reply->json["version"] == version, "another version than acknowledged");
    if (reply->status == 409) {
      const Answer* now = answer_of(self(world), query);
      world.require(reply->json["version"] == (now == nullptr ? 0 : now->version) &&
                        reply->json["ranking"] == Json(now == nullptr ? Ranking() : now->ranking),
                    "a conflict shows another order than the file has");
    }
  }

  void consent(World& world, const Login* login) {
    Expected expected{204};
    if (login == nullptr) {
      expected = denied();
    } else if (study(world).settings.state != study::State::open) {
      expected = {403};
    } else {
      expected.apply = [this](Durable& durable, const Reply*) { durable.at(study_, number_).consented = "yes"; };
    }
    (void)world.ask(ask_for("PUT", "/consent", {{"agreed", true}}), expected);
  }

  void background(World& world, const Login* login) {
    Expected expected{204};
    const double years = static_cast<double>(world.below(30));
    if (login == nullptr) {
      expected = denied();
    } else if (study(world).settings.state != study::State::open || self(world).consented.empty()) {
      expected = {403};
    } else {
      expected.apply = [this, years](Durable& durable, const Reply*) {
        durable.at(study_, number_).background = study::Background{years, {"lute"}, "none"};
      };
    }
    (void)world.ask(ask_for("PUT", "/background", {{"years", years}, {"instruments", {"lute"}}, {"remarks", "none"}}),
                    expected);
  }

  void search(World& world, const Login* login) {
    if (login == nullptr) return;
    Ask ask = ask_for("GET", "");
    ask.target = world.once_in(2) ? "/api/v1/search?id=ZQ5&k=3" : "/api/v1/melodies/ZQ5";
    (void)world.ask(ask, {403, "participants-not"});
  }

  void foreign(World& world) {
    Ask ask = ask_for("GET", "");
    ask.target = study_ == "s0" ? "/api/v1/study/s1/me" : "/api/v1/study/s0/me";
    (void)world.ask(ask, denied());
  }

  void leave(World& world, const Login* login) {
    Expected expected{204};
    if (login == nullptr) {
      expected = denied();
    } else {
      expected.apply = [token = token_](Durable& durable, const Reply*) { durable.logins.erase(token); };
    }
    const auto reply = world.ask(ask_for("POST", "/leave", Json::object()), expected);
    // Without a reply nobody knows whether the session ended: the browser asks.
    if (!reply && login != nullptr) {
      auto studies = test::must(study::Studies::open(world.db(), OpenMode::write));
      if (!test::must(study::Access(studies).find(token_))) world.durable.logins.erase(token_);
    }
    if (reply) token_.clear();
  }

  std::string study_;
  std::int64_t number_;  ///< 0: not yet a participant
  std::string address_;
  std::string token_, csrf_;
  int last_save_ = 0;
  int wrong_tries_ = 0;
  std::vector<Sent> saves_;
  std::map<std::size_t, std::vector<std::string>> shown_;  ///< codes in the order of the page
};

}  // namespace rondo::world

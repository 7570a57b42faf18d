#include "controller/report/live.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "common/base/words.h"
#include "controller/report/tables.h"

namespace eos::report {

using rollout::Event;

std::string LiveView::Picture(const Event& event) {
  if (!began_) began_ = event.at;
  if (event.operation) {
    const auto& record = *event.operation;
    if (record.finished()) {
      doing_.erase(record.request.worker);
    } else {
      doing_[record.request.worker] = std::string(ToString(record.step));
    }
  }
  if (event.kind != Event::Kind::kObserved) saying_ = event.text;
  std::string picture;
  if (event.view) picture += WorkersTable(*event.view, false, colour_);
  const auto at_target = event.view ? std::count_if(event.view->workers.begin(), event.view->workers.end(),
                                                    [&](const auto& w) { return w.running.mode == target_; })
                                    : 0;
  picture +=
      fmt::format("\n{} of {} run {}, {} elapsed\n", at_target, event.view ? event.view->workers.size() : 0,
                  ToString(target_), FormatDuration(event.at - *began_));
  for (const auto& [worker, step] : doing_) picture += fmt::format("{}: {}\n", Printable(worker), step);
  picture += Printable(saying_, 300) + "\n";
  return picture;
}

std::string LiveView::Line(const Event& event) {
  if (event.kind == Event::Kind::kObserved) return {};
  // A count that only goes up, or a time that only goes down, is no news for a log.
  const bool waiting = event.decision && event.decision->kind == rollout::DecisionKind::kWait;
  std::string news = event.text;
  if (waiting)
    news.erase(std::remove_if(news.begin(), news.end(), [](char c) { return c >= '0' && c <= '9'; }),
               news.end());
  if (news == last_line_) return {};
  last_line_ = news;
  return fmt::format("{}  {}\n", FormatUtc(event.at), Printable(event.text, 1000));
}

}  // namespace eos::report

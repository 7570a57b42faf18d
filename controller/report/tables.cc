#include "controller/report/tables.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

#include "common/base/words.h"

namespace eos::report {
namespace {

using fleet::FleetView;
using fleet::WorkerView;
using rollout::Finding;

Colour ColourOf(std::optional<Mode> mode) {
  if (!mode) return Colour::kBad;
  return *mode == Mode::kEnabled ? Colour::kGood : *mode == Mode::kPreparing ? Colour::kWarn : Colour::kNone;
}

Colour ColourOf(Finding::Severity severity) {
  return severity == Finding::Severity::kError     ? Colour::kBad
         : severity == Finding::Severity::kWarning ? Colour::kWarn
                                                   : Colour::kDim;
}

const char* WordOf(Finding::Severity severity) {
  return severity == Finding::Severity::kError     ? "ERROR"
         : severity == Finding::Severity::kWarning ? "WARN"
                                                   : "INFO";
}

struct TaskCount {
  int running = 0;
  int all = 0;
  int failed = 0;
};

TaskCount TasksOn(const FleetView& view, const std::string& worker_id) {
  TaskCount count;
  if (!view.connectors) return count;
  for (const ConnectorStatus& connector : *view.connectors) {
    for (const TaskStatus& task : connector.tasks) {
      if (!worker_id.empty() && task.worker_id != worker_id) continue;
      ++count.all;
      if (task.state == TaskState::kRunning) ++count.running;
      if (task.state == TaskState::kFailed) ++count.failed;
    }
  }
  return count;
}

Cell TasksCell(const FleetView& view, const WorkerView& worker) {
  if (!view.connectors) return {"?", Colour::kBad};
  const TaskCount count = TasksOn(view, fleet::WorkerIdOf(worker.facts.advertised_url));
  return {fmt::format("{}/{}", count.running, count.all),
          count.running < count.all ? Colour::kBad : Colour::kNone};
}

Cell GroupCell(const WorkerView& worker) {
  if (worker.leader) return {"leader", Colour::kBold};
  return worker.member ? Cell("member") : Cell("not in it", Colour::kBad);
}

std::string ServiceText(const WorkerView& worker) {
  if (!worker.facts.process) return worker.facts.process_known ? "down" : "?";
  if (!worker.facts.rest || !worker.facts.rest->answers) return "starting";
  return worker.facts.rest->herder_answers ? "up" : "starting";
}

std::string DelayText(const WorkerView& worker) {
  if (worker.facts.temporary_delay)
    return fmt::format("{} (temporary)", FormatDuration(worker.facts.temporary_delay->value));
  if (worker.running_delay) return FormatDuration(*worker.running_delay);
  return "?";
}

std::string Since(const FleetView& view, const WorkerView& worker) {
  if (!worker.facts.process) return "-";
  return FormatDuration(std::max(Millis{0}, view.at - worker.facts.process->started));
}

void FailedTasks(const FleetView& view, std::string& out, bool colour) {
  if (!view.connectors) return;
  for (const ConnectorStatus& connector : *view.connectors) {
    for (const TaskStatus& task : connector.tasks) {
      if (task.state != TaskState::kFailed) continue;
      out += Paint(fmt::format("  task {}-{} is FAILED for {}{}\n", Printable(connector.name), task.id,
                               ToString(task.failure),
                               task.exceptions.empty() ? "" : ": " + Printable(task.exceptions.back())),
                   Colour::kBad, colour);
    }
  }
}

std::string LeaseText(const FleetView& view) {
  for (const auto& agent : view.agents) {
    if (!agent.facts || agent.facts->leases.empty()) continue;
    const Lease& lease = agent.facts->leases.front();
    return fmt::format("held by {} since {} (session {})", Printable(lease.holder), FormatUtc(lease.granted),
                       Printable(lease.session));
  }
  return "nobody holds it";
}

std::string GroupText(const FleetView& view) {
  if (!view.group) return "not known";
  std::string text = fmt::format("{}, {} member{}", Printable(view.group->state), view.group->members.size(),
                                 view.group->members.size() == 1 ? "" : "s");
  if (view.group->pending_delay() > Millis{0}) {
    text += fmt::format(", a rebalance delay is pending (at most {})",
                        FormatDuration(view.group->pending_delay()));
  }
  if (!view.strangers.empty()) text += fmt::format(", {} of them in no inventory", view.strangers.size());
  return text;
}

}  // namespace

std::string ModeText(const WorkerView& worker) {
  const std::string running = worker.running.mode
                                  ? std::string(ToString(*worker.running.mode))
                                  : (worker.running.evidence == ModeEvidence::kNotRunning ? "(down)" : "?");
  if (!worker.facts.file) return running;
  if (worker.facts.file->mode == worker.running.mode) return running;
  return fmt::format("{} (file: {})", running,
                     worker.facts.file->mode ? ToString(*worker.facts.file->mode) : "refused by Kafka");
}

Guarantee GuaranteeOf(const FleetView& view) {
  Guarantee guarantee;
  Time since{};
  for (const auto& agent : view.agents) {
    if (!agent.facts) {
      guarantee.why = fmt::format("agent \"{}\" does not answer", Printable(agent.name));
      return guarantee;
    }
  }
  if (!view.group || !view.group->stable()) {
    guarantee.why = "the group's members are not known for certain";
    return guarantee;
  }
  if (!view.strangers.empty()) {
    guarantee.why =
        fmt::format("\"{}\" is in the group and in no inventory", Printable(view.strangers.front().url));
    return guarantee;
  }
  for (const WorkerView& worker : view.workers) {
    if (worker.running.mode != Mode::kEnabled) {
      guarantee.why = fmt::format("worker \"{}\" runs {}", Printable(worker.facts.name),
                                  worker.running.mode ? ToString(*worker.running.mode) : "an unknown mode");
      return guarantee;
    }
    since = std::max(since, worker.facts.process->started);
  }
  if (view.workers.empty()) {
    guarantee.why = "no worker is known";
    return guarantee;
  }
  guarantee.in_force = true;
  guarantee.since = since;
  guarantee.why = "every member of the group runs enabled";
  return guarantee;
}

std::string WorkersTable(const FleetView& view, bool wide, bool colour) {
  std::vector<std::string> header{"WORKER", "STATE", "MODE", "EVIDENCE", "GROUP", "TASKS", "DELAY"};
  if (wide) header.insert(header.end(), {"AGENT", "VERSION", "UP FOR", "PID", "URL"});
  std::vector<std::vector<Cell>> rows;
  for (const WorkerView& worker : view.workers) {
    const std::string state = ServiceText(worker);
    std::vector<Cell> row{Printable(worker.facts.name),
                          {state, state == "up" ? Colour::kGood : Colour::kBad},
                          {ModeText(worker), ColourOf(worker.running.mode)},
                          std::string(ToString(worker.running.evidence)),
                          GroupCell(worker),
                          TasksCell(view, worker),
                          DelayText(worker)};
    if (wide) {
      row.insert(row.end(),
                 {worker.agent, worker.facts.rest ? Printable(worker.facts.rest->version) : "?",
                  Since(view, worker), worker.facts.process ? std::to_string(worker.facts.process->pid) : "-",
                  Printable(worker.facts.advertised_url)});
    }
    rows.push_back(std::move(row));
  }
  for (const auto& agent : view.agents) {
    if (agent.facts) continue;
    rows.push_back(
        {{"(" + Printable(agent.name) + ")", Colour::kBad}, {"agent does not answer", Colour::kBad}});
  }
  return Table(header, rows, colour);
}

std::string StatusText(const FleetView& view, const std::string& fleet, const std::vector<Finding>& findings,
                       bool colour) {
  const Guarantee guarantee = GuaranteeOf(view);
  const TaskCount tasks = TasksOn(view, "");
  std::string out = fmt::format("fleet      {}\n", Printable(fleet));
  out += fmt::format("workers    {}\n", rollout::Standing(view));
  out += "guarantee  ";
  if (guarantee.in_force) {
    out += Paint(fmt::format("exactly-once source support is in force since {}", FormatUtc(*guarantee.since)),
                 Colour::kGood, colour);
  } else {
    out += Paint("not in force: " + guarantee.why, Colour::kWarn, colour);
  }
  out += fmt::format("\ngroup      {}\n", GroupText(view));
  out += view.connectors ? fmt::format("tasks      {} of {} run{}\n", tasks.running, tasks.all,
                                       tasks.failed > 0 ? fmt::format(", {} FAILED", tasks.failed) : "")
                         : "tasks      not known\n";
  FailedTasks(view, out, colour);
  out += fmt::format("lease      {}\n\n", LeaseText(view));
  out += WorkersTable(view, false, colour);
  std::vector<Finding> worth_telling;
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(worth_telling),
               [](const Finding& f) { return f.problem.reason != Reason::kTaskFailed; });
  if (!worth_telling.empty()) out += "\n" + FindingsText(worth_telling, colour);
  return out;
}

std::string FindingsText(const std::vector<Finding>& findings, bool colour) {
  std::string out;
  for (const Finding& finding : findings) {
    out += Paint(fmt::format("{:5}", WordOf(finding.severity)), ColourOf(finding.severity), colour);
    out += fmt::format(" {}: {}{}\n", Printable(finding.object), finding.problem.message,
                       finding.may_pass ? " (may pass by itself)" : "");
    if (!finding.problem.fix.empty()) out += fmt::format("      To fix: {}\n", finding.problem.fix);
  }
  return out;
}

std::string PlanText(const rollout::Plan& plan, Mode target, bool explain, bool colour) {
  if (plan.steps.empty() && !plan.pause.empty()) return fmt::format("apply would pause: {}\n", plan.pause);
  if (plan.steps.empty()) return fmt::format("nothing to do: the fleet runs {}\n", ToString(target));
  std::vector<std::string> header{"STEP", "PHASE", "WORKER", "FROM", "TO", "RESTART", "REBALANCE DELAY"};
  if (explain) header.emplace_back("WHY");
  std::vector<std::vector<Cell>> rows;
  for (const rollout::Step& step : plan.steps) {
    const std::string delay = step.delay == DelayChange::kSetTemporary
                                  ? fmt::format("{} (temporary)", FormatDuration(step.temporary_delay))
                              : step.delay == DelayChange::kPutBack ? "put back"
                                                                    : "as it is";
    std::vector<Cell> row{std::to_string(step.batch),
                          std::string(ToString(step.phase)),
                          Printable(step.worker),
                          step.from ? std::string(ToString(*step.from)) : "?",
                          {std::string(ToString(step.to)), ColourOf(step.to)},
                          step.restart ? "yes" : "no",
                          delay};
    if (explain) row.emplace_back(step.why);
    rows.push_back(std::move(row));
  }
  std::string out = Table(header, rows, colour);
  if (explain) {
    out += "\n";
    for (const std::string& line : plan.explanations) out += "* " + line + "\n";
  }
  return out;
}

}  // namespace eos::report

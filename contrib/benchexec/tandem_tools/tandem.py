"""BenchExec's tool-info module for Tandem: which command verifies a task, and what its answer means."""

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import get_data_model_from_task


class Tool(benchexec.tools.template.BaseTool2):
    """
    Tool info for Tandem, cooperative verification and testing of C programs.
    The configuration is an option: `<option name="-c">value</option>`.
    """

    # The plugins are found beside the executable, and Z3's library below it where it was not installed.
    REQUIRED_PATHS = ["."]

    def executable(self, tool_locator):
        return tool_locator.find_executable("tandem")

    def name(self):
        return "Tandem"

    def project_url(self):
        return "https://example.org/tandem"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="tandem")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "verify", *options]
        given = [option.split("=", 1)[0] for option in options]
        # A run that knows its limits ends by itself, with a reason and with its results so far.
        seconds = rlimits.walltime or rlimits.cputime
        if seconds and "--limit" not in given:
            command += ["--limit", f"{seconds}s"]
        if rlimits.memory and "--memory" not in given:
            command += ["--memory", str(rlimits.memory)]
        if task.property_file:
            command += ["-p", task.property_file]
        model = get_data_model_from_task(task, {"ILP32": "ILP32", "LP64": "LP64"})
        if model and "--data-model" not in given:
            command += ["--data-model", model]
        return [*command, "--", task.single_input_file]

    def determine_result(self, run):
        """The line `Verdict: …` and the exit status must agree."""
        status = {0: "TRUE", 10: "FALSE", 20: "UNKNOWN"}.get(run.exit_code.value)
        for line in run.output:
            verdict = line.strip()
            if not verdict.startswith("Verdict: "):
                continue
            answer = verdict[len("Verdict: ") :]
            # A proof that rests on a claim of another tool is marked behind the verdict.
            if status == "TRUE" and answer.split(" ")[0] == "TRUE":
                return result.RESULT_TRUE_PROP
            if status == "FALSE" and answer == "FALSE":
                return result.RESULT_FALSE_REACH
            if status == "UNKNOWN" and answer.startswith("UNKNOWN"):
                if "(time limit)" in answer:
                    return result.RESULT_TIMEOUT
                if "(memory limit)" in answer:
                    return "OUT OF MEMORY"
                return result.RESULT_UNKNOWN
        if run.exit_code.value == 2:
            return result.RESULT_ERROR + " (bad input)"
        if run.exit_code.value == 70:
            return result.RESULT_ERROR + " (internal)"
        return result.RESULT_ERROR

    def get_value_from_output(self, output, identifier):
        """Statistics, which --verbose prints as `name: value`."""
        for line in reversed(output):
            name, separator, value = line.partition(":")
            if separator and name.strip() == identifier:
                return value.strip()
        return None

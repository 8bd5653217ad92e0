#!/bin/sh
# Stands in for verifiers that are not installed: prints their verdict lines and writes their files.
#   stand-in.sh MODE FILE WITNESS [VALUE]
set -eu
if [ "$1" = --version ]; then
    echo "Stand-in 2.5 (for tests)"
    exit 0
fi
mode=$1 file=$2 witness=$3 value=${4:-4711}
hash=$(sha256sum "$file" | cut -d' ' -f1)
[ "$mode" != true-other-program ] || hash=$(echo another program | sha256sum | cut -d' ' -f1)

# place TEXT: line and column where TEXT stands for the last time in the file.
place() {
    awk -v text="$1" 'at = index($0, text) { line = NR; column = at } END { print line, column }' "$file"
}

entry() {
    cat <<END
- entry_type: "$1"
  metadata:
    format_version: "2.0"
    uuid: "7f2a0d7e-0000-4000-8000-000000000000"
    creation_time: "2024-01-01T00:00:00Z"
    producer: { name: "stand-in", version: "2.5" }
    task:
      input_files: ["$file"]
      input_file_hashes: { "$file": "$hash" }
      specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )"
      data_model: "ILP32"
      language: "C"
  content:
END
}

invariant() {
    cat <<END
    - invariant:
        type: "loop_invariant"
        location: { file_name: "$file", line: $1, column: $2, function: "main" }
        value: "$3"
        format: "c_expression"
END
}

correctness() {
    set -- $(place while)
    entry invariant_set
    [ "$mode" != true-other-lines ] || set -- 1 1
    invariant "$1" "$2" "0 <= i && i <= 10"
}

# In the specification's form, or (GraphML) as assumptions on edges.
violation() {
    set -- $(place "__VERIFIER_nondet_int()") $(place "reach_error()")
    entry violation_sequence
    cat <<END
    - segment:
      - waypoint:
          type: "function_return"
          action: "follow"
          location: { file_name: "$file", line: $1, column: $(($2 + 22)), function: "main" }
          constraint: { value: "\\\\result == $value", format: "acsl_expression" }
    - segment:
      - waypoint:
          type: "target"
          action: "follow"
          location: { file_name: "$file", line: $3, column: $4, function: "main" }
END
}

graphml() {
    set -- $(place "__VERIFIER_nondet_int()")
    cat <<END
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<graph edgedefault="directed">
<data key="witness-type">violation_witness</data>
<data key="sourcecodelang">C</data>
<data key="producer">stand-in</data>
<data key="specification">CHECK( init(main()), LTL(G ! call(reach_error())) )</data>
<data key="programfile">$file</data>
<data key="programhash">$hash</data>
<data key="architecture">32bit</data>
<node id="a"><data key="entry">true</data></node>
<node id="b"/>
<node id="c"><data key="violation">true</data></node>
<edge source="a" target="b">
<data key="startline">$1</data>
<data key="assumption">\\result == $value;</data>
<data key="assumption.scope">main</data>
<data key="assumption.resultfunction">__VERIFIER_nondet_int</data>
</edge>
<edge source="b" target="c"/>
</graph>
</graphml>
END
}

echo "Running the stand-in on $file"
echo "VERIFICATION FAILED is not its last word"
case $mode in
true | true-other-program | true-other-lines) correctness >"$witness"; echo "Verification result: TRUE. No property violation found." ;;
true-no-witness) echo "Verification result: TRUE. No property violation found." ;;
true-then-crash) echo "Verification result: TRUE."; kill -SEGV $$ ;;
false) violation >"$witness"; echo "Verification result: FALSE. Property violation found."; exit 10 ;;
false-graphml) graphml >"$witness"; echo "Verification result: FALSE." ;;
false-no-witness) echo "Verification result: FALSE." ;;
false-garbage) head -c 300 /dev/urandom >"$witness"; echo "Verification result: FALSE." ;;
unknown) echo "Verification result: UNKNOWN, incomplete analysis." ;;
both) echo "Verification result: TRUE or Verification result: FALSE" ;;
garbage) head -c 3000 /dev/urandom; echo; echo "what was the question?" ;;
ktest)
    mkdir out
    printf 'KTEST\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\1x\0\0\0\4\147\022\0\0' >out/test000001.ktest
    printf 'KTEST\0\0\0\3' >out/test000002.ktest
    echo "KLEE: ERROR: ASSERTION FAIL: 0"
    ;;
xml)
    mkdir out
    printf '<?xml version="1.0"?>\n<test-metadata></test-metadata>\n' >out/metadata.xml
    printf '<?xml version="1.0"?>\n<testcase><input>%s</input></testcase>\n' "$value" >out/test-1.xml
    ;;
arguments) shift 3; printf '[%s]\n' "$@"; echo "Verification result: UNKNOWN" ;;
esac
